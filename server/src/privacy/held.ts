import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/**
 * Holds and erasures of a workspace wait for each other: what was held before a batch began is not in it, and a hold is
 * not made on what is just being erased. Batches do not wait for batches.
 */
export async function lockHolds(tx: Db, workspaceId: string, how: "to hold" | "to erase"): Promise<void> {
  const lock = how === "to hold" ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  await sql`select ${lock}(hashtext('hearback.holds'), hashtext(${workspaceId}))`.execute(tx);
}

/** Of a row of `call`: whether a hold covers it, its campaign, or an agent to whom it belongs or belonged. */
export const isHeld: RawBuilder<boolean> = sql<boolean>`(exists (
  select from legal_hold as hold
  where hold.workspace_id = call.workspace_id and hold.released_at is null
    and (hold.subject_type, hold.subject_id) in (
      ('call', call.id::text), ('agent', call.agent_id::text), ('campaign', call.campaign_id))
) or exists (
  select from call_change as change
  join legal_hold as hold on hold.workspace_id = change.workspace_id and hold.released_at is null
    and hold.subject_type = 'agent' and hold.subject_id = change.changed #>> '{agent,from}'
  where change.workspace_id = call.workspace_id and change.call_id = call.id))`;

/** Whether a hold covers the agent as such. */
export async function isAgentHeld(tx: Db, workspaceId: string, agentId: string): Promise<boolean> {
  const hold = await tx
    .selectFrom("legalHold")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("releasedAt", "is", null)
    .where("subjectType", "=", "agent")
    .where("subjectId", "=", agentId)
    .executeTakeFirst();
  return hold !== undefined;
}

/** What somebody wrote about a thing is taken away with it. */
export async function forgetReasons(tx: Db, workspaceId: string, type: "call" | "agent", ids: readonly string[]) {
  if (ids.length === 0) return;
  await tx
    .updateTable("legalHold")
    .set({ reason: "" })
    .where("workspaceId", "=", workspaceId)
    .where("subjectType", "=", type)
    .where("subjectId", "in", ids)
    .where("releasedAt", "is not", null)
    .execute();
}
