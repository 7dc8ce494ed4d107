import type { AssignmentBody, QueueBody } from "@hearback/contract";
import { sql } from "kysely";
import { type ListPosition, openListCursor } from "../../events/list-cursor.ts";
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

/** The columns of each order, and the condition that an assignment follows a position. */
const sortKeys = {
  open: {
    columns: ["assignment.dueAt", "assignment.ticket", "assignment.id"],
    direction: "asc",
    isAfter: ([dueAt, ticket, id]: ListPosition) =>
      sql<boolean>`(assignment.due_at, assignment.ticket, assignment.id) > (${dueAt}::timestamptz, ${ticket}::bytea, ${id}::uuid)`,
  },
  done: {
    columns: ["assignment.doneAt", "assignment.id"],
    direction: "desc",
    isAfter: ([doneAt, id]: ListPosition) =>
      sql<boolean>`(assignment.done_at, assignment.id) < (${doneAt}::timestamptz, ${id}::uuid)`,
  },
  skipped: {
    columns: ["assignment.id"],
    direction: "desc",
    isAfter: ([id]: ListPosition) => sql<boolean>`assignment.id < ${id}::uuid`,
  },
} as const;

/** Lists assignments: open ones in the order of the queue, done ones newest first, skipped ones newest first. */
export async function listAssignments(tx: Db, viewer: AssignmentViewer, input: ListAssignmentsInput) {
  const { drawId, reviewerId, state, cursor, limit } = input;
  const { columns, direction, isAfter } = sortKeys[state];
  const cursors = await openListCursor(tx, viewer.workspaceId, `assignments/${state}`);
  const after = cursors.read(cursor);
  const asText = columns.map((column) => sql`${sql.ref(column)}::text`);
  const found = await selectAssignments(tx, viewer)
    .select(sql<string[]>`array[${sql.join(asText)}]`.as("position"))
    // A constant, so that the planner can use partial indexes.
    .where("assignment.state", "=", sql.lit(state))
    .$if(drawId !== undefined, (rows) => rows.where("assignment.drawId", "=", drawId ?? ""))
    .$if(reviewerId === "none", (rows) => rows.where("assignment.reviewerId", "is", null))
    .$if(reviewerId !== undefined && reviewerId !== "none", (rows) =>
      rows.where("assignment.reviewerId", "=", reviewerId ?? ""),
    )
    .$if(after !== undefined, (rows) => rows.where(isAfter(after ?? [])))
    .$call((rows) => columns.reduce((sorted, column) => sorted.orderBy(column, direction), rows))
    .limit(limit + 1)
    .execute();
  const { rows, next } = toPage(found, limit, ({ position }) => position);
  return { assignments: rows.map((row) => toAssignmentBody(row, viewer)), next: cursors.write(next) };
}

/** Counts stop here. */
const most = 1000;

/** What is on a reviewer's queue, and the next call. */
export async function readQueue(tx: Db, workspaceId: string, reviewerId: string): Promise<QueueBody> {
  const viewer = { workspaceId, reviewerId, userId: reviewerId };
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
