import { isRetryable, type ReviewDetailBody, ServiceError } from "@hearback/sdk";
import { onceClient } from "../../client.ts";
import { type DraftTransport, type LoadResult, reviewComment, type SaveResult } from "./save-queue.ts";

interface TransportOptions {
  readonly callId: string;
  readonly scorecardId: string;
  /** The review is for this calibration session. */
  readonly calibrationId?: string | undefined;
  /** Absent: the review is started with the first change. */
  readonly reviewId?: string | undefined;
  readonly onStarted: (review: ReviewDetailBody) => void;
  readonly onError: (error: unknown) => void;
}

/** Sends the changes of a draft, each once: the queue retries. */
export function openDraftTransport({
  callId,
  scorecardId,
  calibrationId,
  onStarted,
  onError,
  ...options
}: TransportOptions) {
  let reviewId = options.reviewId;
  const { reviews } = onceClient;

  function toFailure(error: unknown): Exclude<LoadResult, { kind: "loaded" }> {
    if (error instanceof ServiceError && isRetryable(error)) return { kind: "retry", afterMs: error.retryAfterMs };
    onError(error);
    return { kind: "stopped", error };
  }

  const transport: DraftTransport = {
    async load() {
      try {
        const draft = reviewId
          ? await reviews.find(reviewId)
          : await reviews.start({ callId, scorecardId, calibrationId });
        reviewId = draft.id;
        onStarted(draft);
        return { kind: "loaded", draft };
      } catch (error) {
        return toFailure(error);
      }
    },
    async save(field, value, ifMatch): Promise<SaveResult> {
      const id = reviewId ?? "";
      try {
        const { number } =
          field === reviewComment || typeof value === "string"
            ? await reviews.changeDraft(id, { comment: String(value), ifMatch })
            : await reviews.saveAnswer(id, field, value, { ifMatch });
        return { kind: "saved", number };
      } catch (error) {
        const current = changedReview(error);
        if (current) return { kind: "changed", draft: current };
        // The value is invalid, not the draft.
        if (error instanceof ServiceError && error.status === 422) return { kind: "refused" };
        return toFailure(error);
      }
    },
  };
  return { ...transport, reviewId: () => reviewId };
}

/** The current review from a response with status 412. */
export const changedReview = (error: unknown): ReviewDetailBody | undefined =>
  error instanceof ServiceError && error.code === "review_changed"
    ? (error.problem?.review as ReviewDetailBody | undefined)
    : undefined;
