import type { CallFilter, CallItem, CallPageBody, ReviewPageBody, SearchCalls } from "@hearback/sdk";

interface OwnReviews {
  readonly callId: string;
  readonly reviewerId: string;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface NextCallOptions {
  readonly page: (query: SearchCalls) => Promise<CallPageBody>;
  readonly reviews: (query: OwnReviews) => Promise<ReviewPageBody>;
  /** The list that the reviewer works through. */
  readonly filter: CallFilter;
  /** The current call. */
  readonly id: string;
  readonly userId: string;
  /** The filter `reviewed` is about the user's own reviews. */
  readonly seesOwnReviews: boolean;
  readonly signal?: AbortSignal | undefined;
}

const maxPages = 5;
const pageSize = 20;

/** The next older call in the list that the user has not reviewed. A call with a draft of the user is included. */
export async function findNextCall(options: NextCallOptions): Promise<CallItem | null> {
  const { page, reviews, filter, id, userId, seesOwnReviews, signal } = options;
  let cursor = id;
  const unreviewed = seesOwnReviews ? { reviewed: false, ...filter } : filter;
  for (let asked = 0; asked < maxPages; asked++) {
    const { calls, next } = await page({ ...unreviewed, cursor, limit: pageSize, signal });
    for (const call of calls) {
      if (call.status !== "ready" || call.agent.id === userId) continue;
      if (unreviewed.reviewed === false) return call;
      const { reviews: own } = await reviews({ callId: call.id, reviewerId: userId, limit: 100, signal });
      if (own.every(({ state }) => state === "draft" || state === "voided")) return call;
    }
    if (!next) return null;
    cursor = next;
  }
  return null;
}
