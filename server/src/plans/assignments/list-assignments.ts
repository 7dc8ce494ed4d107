import type { AssignmentBody, QueueBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import { type AssignmentViewer, selectAssignments, toAssignmentBody } from "./find-assignment.ts";

export interface ListAssignmentsInput {
  readonly drawId?: string | undefined;
  /** "none": unassigned. */
  readonly reviewerId?: string | undefined;
  readonly state: AssignmentBody["state"];
  readonly cursor?: string | undefined;
  readonly limit: number;
}

const queueOrder = sql`(assignment.due_at, assignment.ticket, assignment.id)`;
const newestFirst = sql`(assignment.done_at, assignment.id)`;

/** Lists assignments: open ones in the order of the queue, done ones newest first, skipped ones newest first. */
export async function listAssignments(tx: Db, viewer: AssignmentViewer, input: ListAssignmentsInput) {
  const { drawId, reviewerId, state, cursor, limit } = input;
  const columns = {
    open: sql`c.due_at, c.ticket, c.id`,
    done: sql`c.done_at, c.id`,
    skipped: sql`c.id`,
  }[state];
  const last = sql`(select ${columns} from assignment as c where c.workspace_id = ${viewer.workspaceId} and c.id = ${cursor ?? ""}::uuid)`;
  const rows = selectAssignments(tx, viewer)
    // A constant, so that the planner can use partial indexes.
    .where("assignment.state", "=", sql.lit(state))
    .$if(drawId !== undefined, (rows) => rows.where("assignment.drawId", "=", drawId ?? ""))
    .$if(reviewerId === "none", (rows) => rows.where("assignment.reviewerId", "is", null))
    .$if(reviewerId !== undefined && reviewerId !== "none", (rows) =>
      rows.where("assignment.reviewerId", "=", reviewerId ?? ""),
    )
    .limit(limit + 1);
  const ordered = {
    open: () =>
      rows
        .$if(cursor !== undefined, (rows) => rows.where(sql<boolean>`${queueOrder} > ${last}`))
        .orderBy("assignment.dueAt")
        .orderBy("assignment.ticket")
        .orderBy("assignment.id"),
    done: () =>
      rows
        .$if(cursor !== undefined, (rows) => rows.where(sql<boolean>`${newestFirst} < ${last}`))
        .orderBy("assignment.doneAt", "desc")
        .orderBy("assignment.id", "desc"),
    skipped: () =>
      rows
        .$if(cursor !== undefined, (rows) => rows.where(sql<boolean>`assignment.id < ${last}`))
        .orderBy("assignment.id", "desc"),
  }[state];
  const page = toPage(await ordered().execute(), limit, ({ id }) => id);
  return { assignments: page.rows.map((row) => toAssignmentBody(row, viewer)), next: page.next };
}

/** Counts stop here. */
const most = 1000;

/** What is on a reviewer's queue, and the next call. */
export async function readQueue(tx: Db, workspaceId: string, reviewerId: string): Promise<QueueBody> {
  const viewer = { workspaceId, reviewerId };
  const { rows } = await sql<{ open: number; dueThisWeek: number; overdue: number; doneThisWeek: number }>`
    select count(*)::int as open, count(*) filter (where due_at < now() + interval '7 days')::int as due_this_week,
      count(*) filter (where due_at < now())::int as overdue,
      (select count(*)::int from (select from assignment where workspace_id = ${workspaceId} and reviewer_id = ${reviewerId}
        and state = 'done' and done_at > now() - interval '7 days' limit ${most}) as done) as done_this_week
    from (select due_at from assignment where workspace_id = ${workspaceId} and reviewer_id = ${reviewerId} and state = 'open'
      order by due_at limit ${most}) as queue`.execute(tx);
  const { open = 0, dueThisWeek = 0, overdue = 0, doneThisWeek = 0 } = rows[0] ?? {};
  const { assignments } = await listAssignments(tx, viewer, { state: "open", limit: 1 });
  return { open, due_this_week: dueThisWeek, overdue, done_this_week: doneThisWeek, next: assignments[0] ?? null };
}
