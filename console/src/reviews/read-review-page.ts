import type { ListReviews, ReviewBody } from "@hearback/sdk";
import type { ReviewFilter } from "./list/filter.ts";

export interface ReviewListPage {
  readonly reviews: readonly ReviewBody[];
  readonly next: string | null;
}

interface Position {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

const pageSize = 50;
/** Filtered pages can be empty before the end. Fetch up to this many at once. */
const maxRequests = 10;

/** One page for the reader: continues while the pages of the API are short. */
export async function readReviewPage(
  read: (query: ListReviews) => Promise<ReviewListPage>,
  { withoutDraftsOf, ...filter }: ReviewFilter,
  { cursor, signal }: Position,
): Promise<ReviewListPage> {
  const reviews: ReviewBody[] = [];
  let next: string | null | undefined = cursor;
  for (let asked = 0; asked < maxRequests && next !== null && reviews.length < pageSize; asked++) {
    const page = await read({ ...filter, cursor: next, limit: pageSize, signal });
    reviews.push(...page.reviews.filter(({ state, reviewer }) => state !== "draft" || reviewer.id !== withoutDraftsOf));
    next = page.next;
  }
  return { reviews, next: next ?? null };
}
