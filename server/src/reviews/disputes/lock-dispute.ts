import type { DisputeBody } from "@hearback/contract";
import type { Db } from "../../platform/database/database.ts";
import { AppError } from "../../platform/errors.ts";
import { disputeNotFound, reviewNotFound } from "../errors.ts";
import { findDispute } from "../review/find-dispute.ts";
import { findReview, type LockedReview, lockReview } from "../review/find-review.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";

/** The same error for hidden and for unknown disputes. */
const hide = (error: unknown): never => {
  throw error instanceof AppError && error.code === reviewNotFound.code ? disputeNotFound() : error;
};

/** Returns the dispute if the viewer may see its review. */
export async function findVisibleDispute(tx: Db, viewer: ReviewViewer, id: string): Promise<DisputeBody> {
  const dispute = await findDispute(tx, viewer.workspaceId, id);
  await findReview(tx, viewer, dispute.review_id).catch(hide);
  return dispute;
}

/** Prevents changes of a dispute and its review until the transaction ends. */
export async function lockDispute(
  tx: Db,
  viewer: ReviewViewer,
  id: string,
): Promise<{ readonly dispute: DisputeBody; readonly review: LockedReview }> {
  const { review_id } = await findDispute(tx, viewer.workspaceId, id);
  const review = await lockReview(tx, viewer, review_id).catch(hide);
  // Read after the lock.
  return { review, dispute: await findDispute(tx, viewer.workspaceId, id) };
}
