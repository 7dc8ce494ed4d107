import type { ReviewAction } from "@hearback/contract";
import type { Db } from "../../platform/database/database.ts";
import { countObjections } from "./count-objections.ts";
import { isCounted } from "./counted.ts";
import { listDisputesOf } from "./find-dispute.ts";
import type { ReviewRow } from "./find-review.ts";
import { isImpartial, isThirdPerson } from "./impartial.ts";
import { isArbiter } from "./is-arbiter.ts";
import type { ReviewViewer } from "./review-viewer.ts";
import { findReviewedVersion } from "./scorecard-documents.ts";
import { isSessionClosed } from "./session-state.ts";

/** What the viewer may do with the review now. The operations check the same rules. */
export async function allowedActions(tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<ReviewAction[]> {
  const { state } = review;
  const isOwn = review.reviewerId === viewer.id;
  const manages = viewer.sees === "all";
  const mayChange = manages && (await isImpartial(tx, review, viewer));
  const isOver = await isSessionClosed(tx, review);
  if (state === "draft" && isOwn) return isOver ? ["answer", "discard"] : ["answer", "submit", "discard"];
  if (state === "draft") return [];
  if (state === "submitted") {
    const isReopenable = (isOwn || manages) && review.selection !== "second" && !isOver;
    const reopen: ReviewAction[] = isReopenable ? ["reopen"] : [];
    if (!isCounted(review)) return mayChange ? [...reopen, "void"] : reopen;
    return mayChange ? [...reopen, "release", "correct", "void"] : reopen;
  }
  if (state === "voided") return [];
  if (viewer.sees !== "agent") {
    const resolve: ReviewAction[] = (await mayResolve(tx, review, viewer)) ? ["resolve"] : [];
    const change: ReviewAction[] = (await isThirdPerson(tx, review, viewer)) ? ["correct", "void"] : ["correct"];
    return mayChange ? [...change, ...resolve] : resolve;
  }
  const acknowledge: ReviewAction[] = review.acknowledgedAt ? [] : ["acknowledge"];
  return (await isDisputable(tx, review)) ? [...acknowledge, "dispute"] : acknowledge;
}

async function mayResolve(tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<boolean> {
  if (review.dispute !== "open" || viewer.sees === "submitted") return false;
  const disputes = await listDisputesOf(tx, review);
  const open = disputes.find(({ state }) => state === "open");
  return open !== undefined && isArbiter(tx, review, open, viewer);
}

/** Whether the agent can object now: in time, no open dispute, and fewer disputes than the scorecard allows. */
export async function isDisputable(tx: Db, review: ReviewRow): Promise<boolean> {
  const { disputableUntil, dispute } = review;
  if (!disputableUntil || disputableUntil.getTime() <= Date.now() || dispute === "open") return false;
  if (dispute === null) return true;
  const { document } = await findReviewedVersion(tx, review);
  return (await countObjections(tx, review)) < document.dispute_levels;
}
