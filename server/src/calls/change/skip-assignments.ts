import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { Db } from "../../platform/database/database.ts";
import { lockAssignments } from "./lock-assignments.ts";

interface CallOfAgent {
  readonly workspaceId: string;
  readonly callId: string;
  /** The agent of the call now. */
  readonly agentId: string;
}

export interface SkippedAssignment {
  readonly id: string;
  readonly reviewId: string | null;
}

/**
 * Skips assignments of a call that was drawn for another agent, whose next ticket takes its place. A review that was begun goes on as
 * a picked one. A second review goes on if there is a first one to compare it with. The caller has locked the call.
 */
export async function skipForOtherAgents(
  tx: Db,
  { workspaceId, callId, agentId }: CallOfAgent,
  by: Actor,
): Promise<readonly SkippedAssignment[]> {
  const { rows } = await sql<SkippedAssignment>`
    select id, review_id from assignment as drawn
    where workspace_id = ${workspaceId} and call_id = ${callId} and agent_id <> ${agentId} and state in ('pending', 'open')
      and (kind = 'first' or reviewer_id = ${agentId} or not exists (select from assignment as first
        where first.workspace_id = ${workspaceId} and first.call_id = ${callId} and first.draw_id = drawn.draw_id
          and first.kind = 'first' and first.state = 'done'))`.execute(tx);
  if (rows.length === 0) return [];
  // Reviews before assignments, each in the order of ids.
  const reviewIds = rows.flatMap(({ reviewId }) => reviewId ?? []);
  await sql`
    update review set selection = 'picked' where workspace_id = ${workspaceId} and id in (
      select id from review where workspace_id = ${workspaceId} and id = any (${reviewIds}::uuid[])
        and state = 'draft' and selection in ('drawn', 'second') order by id for no key update)`.execute(tx);
  await lockAssignments(tx, workspaceId, callId);
  await sql`
    update assignment set state = 'skipped', skip_reason = 'wrong_agent', skip_note = '', skipped_by = ${by.id},
      review_id = null, to_replace = kind = 'first'
    where workspace_id = ${workspaceId} and id = any (${rows.map(({ id }) => id)}::uuid[])
      and state in ('pending', 'open')`.execute(tx);
  return rows;
}

export async function recordSkips(
  tx: Db,
  { workspaceId, callId }: Pick<CallOfAgent, "workspaceId" | "callId">,
  skipped: readonly SkippedAssignment[],
  actor: Actor,
): Promise<void> {
  for (const { id } of skipped) {
    const data = { call_id: callId, reason: "wrong_agent" };
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "assignment.skipped",
      subject: { type: "assignment", id },
      data,
    });
  }
}
