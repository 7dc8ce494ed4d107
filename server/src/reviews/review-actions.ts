import type { ReviewAction } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";
import type { ReviewViewer } from "./review-viewer.ts";
import { findReviewedVersion } from "./scorecard-documents.ts";

/** What the viewer may do with the review now. The operations check the same rules. */
export async function allowedActions(tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<ReviewAction[]> {
  const { state } = review;
  const isOwn = review.reviewerId === viewer.id;
  const manages = viewer.sees === "all";
  if (state === "draft") return isOwn ? ["answer", "submit", "discard"] : [];
  if (state === "submitted") {
    const reopen: ReviewAction[] = isOwn || manages ? ["reopen"] : [];
    return manages ? [...reopen, "release", "correct", "void"] : reopen;
  }
  if (state === "voided") return [];
  if (viewer.sees !== "agent") return manages ? ["correct", "void"] : [];
  const acknowledge: ReviewAction[] = review.acknowledgedAt ? [] : ["acknowledge"];
  return (await isDisputable(tx, review)) ? [...acknowledge, "dispute"] : acknowledge;
}

/** Whether the agent can object now: in time, no open dispute, and fewer disputes than the scorecard allows. */
export async function isDisputable(tx: Db, review: ReviewRow): Promise<boolean> {
  const { disputableUntil, dispute, workspaceId, id } = review;
  if (!disputableUntil || disputableUntil.getTime() <= Date.now() || dispute === "open") return false;
  if (dispute === null) return true;
  const { document } = await findReviewedVersion(tx, review);
  const { count } = await tx
    .selectFrom("dispute")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", id)
    .executeTakeFirstOrThrow();
  return count < document.dispute_levels;
}
