import type { ExportFormat } from "./call-files.ts";
import type { Download } from "./download.ts";
import { ifMatchHeader } from "./if-match.ts";
import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  ReviewAnswer,
  ReviewAnswers,
  ReviewBody,
  ReviewDetailBody,
  ReviewPageBody,
  ReviewState,
  ReviewsReleasedBody,
  SavedBody,
  WaitingBody,
} from "./wire.ts";

export interface ListReviews extends RequestOptions {
  readonly callId?: string | undefined;
  readonly agentId?: string | undefined;
  /** A user or an API key. */
  readonly reviewerId?: string | undefined;
  readonly scorecardId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly state?: ReviewState | undefined;
  readonly outcome?: NonNullable<ReviewBody["outcome"]> | undefined;
  readonly selection?: ReviewBody["selection"] | undefined;
  /** Reviews whose answer to this question got no points. */
  readonly failedQuestion?: string | undefined;
  /** Reviews of calls on or after this day (UTC), such as 2026-11-02. */
  readonly calledFrom?: string | undefined;
  /** Reviews of calls on or before this day (UTC). */
  readonly calledTo?: string | undefined;
  /** true: only reviews with an open dispute. */
  readonly disputed?: boolean | undefined;
  /** Reviews started at or after this time. */
  readonly from?: Date | undefined;
  /** Reviews started before this time. */
  readonly to?: Date | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ExportReviews extends Omit<ListReviews, "limit" | "cursor">, ExportFormat {
  /** One row per review (default) or per question of each submitted review. */
  readonly rows?: "reviews" | "answers" | undefined;
}

export interface StartReview extends RequestOptions {
  readonly callId: string;
  /** Required unless the review is for a calibration session. */
  readonly scorecardId?: string | undefined;
  /** The review is for this session, on its version of the scorecard. */
  readonly calibrationId?: string | undefined;
}

export interface ChangeReviewDraft extends RequestOptions {
  /** The number of the review that you loaded. If it has another number now, nothing changes: "review_changed". */
  readonly ifMatch: number;
}

export interface ChangeReviewComment extends RequestOptions {
  /** On the whole review. Needs `ifMatch`. */
  readonly comment?: string | undefined;
  readonly activeMs?: number | undefined;
  readonly ifMatch?: number | undefined;
}

export interface CorrectReview extends RequestOptions {
  /** The answers that change, by question id. */
  readonly answers: ReviewAnswers;
  /** The agent reads it. */
  readonly reason: string;
}

export function openReviews(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListReviews) =>
      transport.json<ReviewPageBody>({ method: "GET", path: "/reviews", query, signal }),
    ({ reviews, next }) => ({ items: reviews, next }),
  );
  const act = (id: string, action: string, body: object | undefined, options: RequestOptions = {}) =>
    transport.json<ReviewDetailBody>({ method: "POST", path: pathOf(id, `/${action}`), body, ...options });
  return {
    /** Reviews, newest first. */
    list: (filter: ListReviews = {}): Items<ReviewBody> => list.all(filter),
    page: (filter: ListReviews = {}): Promise<ReviewPageBody> => list.page(filter),
    /** All matching reviews as a file. */
    export: ({ signal, ...query }: ExportReviews): Promise<Download> =>
      transport.download({ method: "GET", path: "/reviews/export", query, signal }),
    find: (id: string, options: RequestOptions = {}): Promise<ReviewDetailBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** Starts a review, or returns your draft for this call and scorecard. */
    start: ({ signal, ...review }: StartReview): Promise<ReviewDetailBody> =>
      transport.json({ method: "POST", path: "/reviews", body: inSnakeCase(review), signal }),
    /** Saves the answer to one question of your draft. An empty object removes it. */
    saveAnswer: (
      id: string,
      question: string,
      answer: ReviewAnswer,
      { ifMatch, signal }: ChangeReviewDraft,
    ): Promise<SavedBody> =>
      transport.json({
        method: "PUT",
        path: pathOf(id, `/answers/${encodeURIComponent(question)}`),
        body: answer,
        headers: ifMatchHeader(ifMatch),
        signal,
      }),
    /** Saves the comment on the whole review, and the time that you worked on it so far. */
    changeDraft: (id: string, { ifMatch, signal, ...change }: ChangeReviewComment): Promise<SavedBody> =>
      transport.json({
        method: "PATCH",
        path: pathOf(id),
        body: inSnakeCase(change),
        headers: ifMatchHeader(ifMatch),
        signal,
      }),
    /** Deletes your draft. */
    discard: (id: string, options: RequestOptions = {}): Promise<void> => transport.remove(pathOf(id), options),
    /** Throws a ServiceError with code "review_incomplete" if answers are missing. */
    submit: (id: string, { ifMatch, signal }: ChangeReviewDraft): Promise<ReviewDetailBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/submit"), headers: ifMatchHeader(ifMatch), signal }),
    /** Makes a submitted review a draft again. */
    reopen: (id: string, options?: RequestOptions) => act(id, "reopen", undefined, options),
    /** Makes a submitted review visible to the agent. */
    release: (id: string, options?: RequestOptions) => act(id, "release", undefined, options),
    /** Releases up to 200 reviews. */
    releaseMany: (ids: readonly string[], options: RequestOptions = {}): Promise<ReviewsReleasedBody> =>
      transport.json({ method: "POST", path: "/reviews/release", body: { ids }, ...options }),
    /** Changes answers of a submitted or released review. */
    correct: (id: string, { answers, reason, signal }: CorrectReview) =>
      act(id, "correct", { answers, reason }, { signal }),
    void: (id: string, reason: string, options?: RequestOptions) => act(id, "void", { reason }, options),
    /** Records that you have read the review of your call. */
    acknowledge: (id: string, note?: string, options?: RequestOptions) =>
      act(id, "acknowledge", note === undefined ? {} : { note }, options),
    /** Counts what waits for you. */
    waiting: (options: RequestOptions = {}): Promise<WaitingBody> =>
      transport.json({ method: "GET", path: "/reviews/waiting", ...options }),
  };
}
export type Reviews = ReturnType<typeof openReviews>;

const pathOf = (id: string, rest = "") => `/reviews/${encodeURIComponent(id)}${rest}`;
