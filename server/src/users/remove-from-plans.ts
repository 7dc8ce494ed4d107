import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** The user reviews and leads nothing any longer. What is on their queue waits for a supervisor. */
export async function removeFromPlans(tx: Db, workspaceId: string, userId: string): Promise<void> {
  // In the order of ids, like all who lock several assignments.
  await sql`
    update assignment set reviewer_id = null where workspace_id = ${workspaceId} and id in (
      select id from assignment where workspace_id = ${workspaceId} and reviewer_id = ${userId} and state = 'open'
      order by id for no key update)`.execute(tx);
  await tx.deleteFrom("planReviewer").where("workspaceId", "=", workspaceId).where("userId", "=", userId).execute();
  await tx
    .updateTable("team")
    .set({ leadId: null })
    .where("workspaceId", "=", workspaceId)
    .where("leadId", "=", userId)
    .execute();
}

/** Removes the calls of an erased agent from frames and queues. The agent's roots stay: the roots of the frames depend on them. */
export async function removeAgentFromDraws(tx: Db, workspaceId: string, agentId: string): Promise<void> {
  await sql`
    delete from assignment where workspace_id = ${workspaceId} and id in (
      select id from assignment where workspace_id = ${workspaceId} and agent_id = ${agentId} order by id for update)`.execute(
    tx,
  );
  await sql`
    delete from draw_call where workspace_id = ${workspaceId} and agent_id = ${agentId} and draw_id in (
      select id from review_draw where workspace_id = ${workspaceId})`.execute(tx);
  await sql`update draw_agent set agent_id = null where workspace_id = ${workspaceId} and agent_id = ${agentId}`.execute(
    tx,
  );
}
