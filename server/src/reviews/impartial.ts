import { notArbiter, ownCall } from "./errors.ts";
import type { ReviewRow } from "./find-review.ts";
import type { ReviewViewer } from "./review-viewer.ts";

/** Whether the viewer may correct or void the review: not their own call, and not against a dispute about their own review. */
export const isImpartial = ({ agentId, reviewerId, dispute }: ReviewRow, { id }: ReviewViewer): boolean =>
  agentId !== id && !(reviewerId === id && dispute === "open");

export function requireImpartial(review: ReviewRow, viewer: ReviewViewer): void {
  if (!isImpartial(review, viewer)) throw review.agentId === viewer.id ? ownCall() : notArbiter();
}
