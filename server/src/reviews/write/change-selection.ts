import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { draftsAbandoned, draftsNoLongerDrawn, reviewAdopted } from "../../plans/hooks.ts";
import { onHook } from "../../platform/hooks.ts";

export const keepDraftsAsPicked = onHook(draftsNoLongerDrawn, async (tx, { workspaceId, reviewIds }) => {
  // In the order of ids, like all who lock several reviews.
  await sql`
    update review set selection = 'picked' where workspace_id = ${workspaceId} and id in (
      select id from review where workspace_id = ${workspaceId} and id = any (${[...reviewIds]}::uuid[])
        and state = 'draft' and selection in ('drawn', 'second') order by id for no key update)`.execute(tx);
});

export const becomeDrawn = onHook(reviewAdopted, async (tx, { workspaceId, reviewId }) => {
  await sql`
    update review set selection = 'drawn', number = number + 1
    where workspace_id = ${workspaceId} and id = ${reviewId}`.execute(tx);
});

/** Deletes drafts that were never submitted. */
export const deleteAbandonedDrafts = onHook(draftsAbandoned, async (tx, { workspaceId, reviewIds, callId, actor }) => {
  if (reviewIds.length === 0) return;
  const deleted = await tx
    .deleteFrom("review")
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", reviewIds)
    .where("state", "=", "draft")
    .where("revision", "=", 0)
    .returning("id")
    .execute();
  for (const { id } of deleted) {
    const subject = { type: "review", id };
    const data = { call_id: callId };
    await recordAuditEntry(tx, workspaceId, { actor, action: "review.discarded", subject, data });
  }
});
