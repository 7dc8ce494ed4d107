import type { WaitingBody } from "@hearback/contract";
import { sql } from "kysely";
import type { SessionCaller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { isCountedSql } from "../review/counted.ts";
import { hasReviewed } from "../review/review-viewer.ts";

/** Counts stop here, so that a badge never costs more than this many index entries. */
const most = 100;

interface Counts {
  readonly drafts: number;
  readonly toRelease: number;
  readonly disputes: number;
  readonly overdueDisputes: number;
  readonly toAcknowledge: number;
}

/** Counts what waits for a user. */
export async function countWaiting(tx: Db, { workspaceId, userId, role }: SessionCaller): Promise<WaitingBody> {
  const manages = role === "supervisor" || role === "admin";
  // A dispute without an arbiter waits for every supervisor.
  const decides = manages ? sql`(arbiter_id = ${userId} or arbiter_id is null)` : sql`arbiter_id = ${userId}`;
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from (select from review where workspace_id = ${workspaceId} and reviewer_id = ${userId}
        and state = 'draft' limit ${most}) as found) as drafts,
      (select count(*)::int from (select from review where workspace_id = ${workspaceId} and state = 'submitted'
        and ${isCountedSql} and ${manages} and (reviewer_id = ${userId} or ${hasReviewed(userId)}) limit ${most}) as found) as to_release,
      (select count(*)::int from (select from dispute where workspace_id = ${workspaceId} and state = 'open'
        and ${decides} limit ${most}) as found) as disputes,
      (select count(*)::int from (select from dispute where workspace_id = ${workspaceId} and state = 'open'
        and due_at < now() and ${role === "admin"} limit ${most}) as found) as overdue_disputes,
      (select count(*)::int from (select from review where workspace_id = ${workspaceId} and agent_id = ${userId}
        and state = 'released' and acknowledged_at is null limit ${most}) as found) as to_acknowledge`.execute(tx);
  const [counts] = rows;
  if (!counts) throw new Error("a select without a table returns one row");
  return {
    drafts: counts.drafts,
    to_release: counts.toRelease,
    disputes: counts.disputes,
    overdue_disputes: counts.overdueDisputes,
    to_acknowledge: counts.toAcknowledge,
  };
}
