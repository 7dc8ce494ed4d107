import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

/**
 * Advisory lock between holds (exclusive) and erasure batches (shared) of a workspace: a batch sees every hold created before
 * it, and no hold is created on calls that are being erased.
 */
export async function lockHolds(tx: Db, workspaceId: string, purpose: "hold" | "erase"): Promise<void> {
  const lock = purpose === "hold" ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  await sql`select ${lock}(hashtext('hearback.holds'), hashtext(${workspaceId}))`.execute(tx);
}

/** Condition on `call`: a legal hold covers the call, its campaign, or its current or a former agent. */
// The uncorrelated subquery runs once per statement and skips the lookups in workspaces without holds, which are most.
export const isHeld: RawBuilder<boolean> = sql<boolean>`((
  select exists (select from legal_hold where workspace_id = current_workspace() and released_at is null)
) and (exists (
  select from legal_hold as hold
  where hold.workspace_id = call.workspace_id and hold.released_at is null
    and (hold.subject_type, hold.subject_id) in (
      ('call', call.id::text), ('agent', call.agent_id::text), ('campaign', call.campaign_id))
) or exists (
  select from call_change as change
  join legal_hold as hold on hold.workspace_id = change.workspace_id and hold.released_at is null
    and hold.subject_type = 'agent' and hold.subject_id = change.changed #>> '{agent,from}'
  where change.workspace_id = call.workspace_id and change.call_id = call.id)))`;

/** Condition on `review`: a legal hold covers its call, campaign or agent. The call may be gone. */
export const isReviewHeld: RawBuilder<boolean> = sql<boolean>`((
  select exists (select from legal_hold where workspace_id = current_workspace() and released_at is null)
) and (exists (
  select from legal_hold as hold
  where hold.workspace_id = review.workspace_id and hold.released_at is null
    and (hold.subject_type, hold.subject_id) in (
      ('call', review.call_id::text), ('agent', review.agent_id::text), ('campaign', review.campaign_id))
) or exists (
  select from call where call.workspace_id = review.workspace_id and call.id = review.call_id and ${isHeld})))`;

/** True if a legal hold names the agent. */
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

/** Deletes the reasons of released holds together with their subject: they may contain personal data. */
export async function clearHoldReasons(tx: Db, workspaceId: string, type: "call" | "agent", ids: readonly string[]) {
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
