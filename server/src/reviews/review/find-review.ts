import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { Review } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { reviewNotFound } from "../errors.ts";
import { isVisible, type ReviewViewer } from "./review-viewer.ts";

export type ReviewRow = Selectable<Review> & { readonly scorecardName: string };

export const selectReviews = (tx: Db, viewer: ReviewViewer) =>
  tx
    .selectFrom("review")
    .innerJoin("scorecard", (join) =>
      join.onRef("scorecard.workspaceId", "=", "review.workspaceId").onRef("scorecard.id", "=", "review.scorecardId"),
    )
    .selectAll("review")
    .select("scorecard.name as scorecardName")
    .where("review.workspaceId", "=", viewer.workspaceId)
    .where(isVisible(viewer));

/** Prevents the erasure of the call until the transaction ends. Returns false if it is erased already. */
export async function keepCall(tx: Db, workspaceId: string, callId: string): Promise<boolean> {
  const { rows } = await sql`
    select from call where workspace_id = ${workspaceId} and id = ${callId} for key share`.execute(tx);
  return rows.length > 0;
}

/** Agent and campaign of a call now. */
export type CallNow = Pick<ReviewRow, "agentId" | "campaignId">;

/** Like `keepCall`, and prevents that the call is given to another agent. Undefined: it is erased already. */
export async function keepCallNow(tx: Db, workspaceId: string, callId: string): Promise<CallNow | undefined> {
  const { rows } = await sql<CallNow>`
    select agent_id, campaign_id from call where workspace_id = ${workspaceId} and id = ${callId} for share`.execute(
    tx,
  );
  return rows[0];
}

/** Returns the review if the viewer may see it. Throws the same error for hidden and for unknown reviews. */
export async function findReview(tx: Db, viewer: ReviewViewer, id: string): Promise<ReviewRow> {
  const found = isUuid(id) ? await selectReviews(tx, viewer).where("review.id", "=", id).executeTakeFirst() : undefined;
  if (!found) throw reviewNotFound();
  return found;
}

/** A review that nobody else can change. Texts about an erased call are refused (`requireText`). */
export type LockedReview = ReviewRow & { readonly isCallErased: boolean };

/** Prevents changes of the review, and the erasure of its call, until the transaction ends. */
export async function lockReview(tx: Db, viewer: ReviewViewer, id: string): Promise<LockedReview> {
  const { callId } = await findReview(tx, viewer, id);
  // The call first, in the order of erasures.
  const isCallErased = !(await keepCall(tx, viewer.workspaceId, callId));
  await sql`select from review where workspace_id = ${viewer.workspaceId} and id = ${id} for no key update`.execute(tx);
  // Read after the lock: the review may have changed while this transaction waited.
  return { ...(await findReview(tx, viewer, id)), isCallErased };
}
