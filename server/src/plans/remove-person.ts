import { sql } from "kysely";
import { onHook } from "../platform/hooks.ts";
import { reviewerLeft, userErased } from "../users/hooks.ts";

/** The user reviews nothing any longer. What is on their queue waits for a supervisor. */
export const removeReviewer = onHook(reviewerLeft, async (tx, { workspaceId, userId }) => {
  // In the order of ids, like all who lock several assignments.
  await sql`
    update assignment set reviewer_id = null where workspace_id = ${workspaceId} and id in (
      select id from assignment where workspace_id = ${workspaceId} and reviewer_id = ${userId} and state = 'open'
      order by id for no key update)`.execute(tx);
  await tx.deleteFrom("planReviewer").where("workspaceId", "=", workspaceId).where("userId", "=", userId).execute();
});

/** Removes the calls of an erased agent from frames and queues. The agent's roots stay: the roots of the frames depend on them. */
export const removeAgentFromDraws = onHook(userErased, async (tx, { workspaceId, userId }) => {
  await sql`
    delete from assignment where workspace_id = ${workspaceId} and id in (
      select id from assignment where workspace_id = ${workspaceId} and agent_id = ${userId} order by id for update)`.execute(
    tx,
  );
  await sql`
    delete from draw_call where workspace_id = ${workspaceId} and agent_id = ${userId} and draw_id in (
      select id from review_draw where workspace_id = ${workspaceId})`.execute(tx);
  await sql`update draw_agent set agent_id = null where workspace_id = ${workspaceId} and agent_id = ${userId}`.execute(
    tx,
  );
});
