import type { Db } from "../../platform/database/database.ts";
import { notYourReview, reviewChanged, reviewStateWrong } from "../errors.ts";
import type { ReviewRow } from "./find-review.ts";
import { toReviewDetail } from "./review-body.ts";
import type { ReviewViewer } from "./review-viewer.ts";

/** Throws if the review is in none of these states. */
export function requireState({ state }: ReviewRow, ...states: ReviewRow["state"][]): void {
  if (!states.includes(state)) throw reviewStateWrong(state, states.join(" or "));
}

/** Throws unless the review is a draft of the viewer. */
export function requireDraftOf(review: ReviewRow, viewer: ReviewViewer): void {
  if (review.reviewerId !== viewer.id) throw notYourReview();
  requireState(review, "draft");
}

/**
 * Throws with the current review if it was changed since the caller loaded it. A repeated request, whose first response was
 * lost, finds what it wants to save (`isSame`) and the next number: it succeeds unless someone else changed the review since.
 */
export async function requireNumber(
  tx: Db,
  review: ReviewRow,
  ifMatch: number,
  viewer: ReviewViewer,
  { isSame = false } = {},
): Promise<void> {
  const isRepeated = isSame && review.number === ifMatch + 1;
  if (ifMatch !== review.number && !isRepeated) throw reviewChanged(await toReviewDetail(tx, review, viewer));
}
