import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { callMoved } from "../../calls/hooks.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { onHook, runHandlers } from "../../platform/hooks.ts";
import { draftsNoLongerDrawn } from "../hooks.ts";
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
  app: App,
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
  // Reviews before assignments.
  const reviewIds = rows.flatMap(({ reviewId }) => reviewId ?? []);
  await runHandlers(app, tx, draftsNoLongerDrawn, { workspaceId, reviewIds });
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

export const skipMoved = onHook(callMoved, async (tx, { by, ...call }, app) => {
  const skipped = await skipForOtherAgents(app, tx, call, by);
  await recordSkips(tx, call, skipped, by);
});
