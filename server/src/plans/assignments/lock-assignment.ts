import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { ChangedMeanwhile } from "../../platform/database/with-retries.ts";
import { keepReviewers, keepReviewersOf } from "../draws/exclusions.ts";
import { type DrawRow, findDraw, lockDraw } from "../draws/find-draw.ts";
import { assignmentClosed } from "../errors.ts";
import { type AssignmentRow, type AssignmentViewer, findAssignment } from "./find-assignment.ts";
import { lockAssignments } from "./lock-assignments.ts";

interface Needs {
  /** The user who gets the call. Undefined: any reviewer of the plan. */
  readonly reviewerId?: string;
  /** Whether the next ticket may take its place. */
  readonly replaces?: boolean;
}

export interface LockedAssignment {
  readonly assignment: AssignmentRow;
  readonly draw: DrawRow;
  /** Those of the users who may get the call who are active reviewers. */
  readonly active: ReadonlySet<string>;
}

/**
 * Prevents changes of an open assignment, of the other one of its call, and of their drafts until the transaction ends. Locks users,
 * reviews, the draw and assignments, in this order. Call it in `withRetries`: a review may have been started meanwhile.
 */
export async function lockOpenAssignment(
  tx: Db,
  viewer: AssignmentViewer,
  id: string,
  { reviewerId, replaces = false }: Needs = {},
): Promise<LockedAssignment> {
  const { workspaceId } = viewer;
  const known = await findAssignment(tx, viewer, id);
  const draw = await findDraw(tx, workspaceId, known.drawId);
  const active = reviewerId ? await keepReviewers(tx, workspaceId, [reviewerId]) : await keepReviewersOf(tx, draw);
  const reviews = await lockReviewsOf(tx, known);
  if (replaces) await lockDraw(tx, workspaceId, draw.id);
  await lockAssignments(tx, workspaceId, known.callId);
  const assignment = await findAssignment(tx, viewer, id);
  if (assignment.state !== "open") throw assignmentClosed();
  const current = await findReviewsOf(tx, known);
  if (current.some((review) => !reviews.has(review))) throw new ChangedMeanwhile();
  return { assignment, draw, active };
}

type CallOfDraw = Pick<AssignmentRow, "workspaceId" | "drawId" | "callId">;

/** The reviews of a drawn call: the first and the second. */
async function findReviewsOf(tx: Db, { workspaceId, drawId, callId }: CallOfDraw): Promise<string[]> {
  const rows = await tx
    .selectFrom("assignment")
    .select("reviewId")
    .where("workspaceId", "=", workspaceId)
    .where("drawId", "=", drawId)
    .where("callId", "=", callId)
    .execute();
  return rows.flatMap(({ reviewId }) => reviewId ?? []);
}

async function lockReviewsOf(tx: Db, call: CallOfDraw): Promise<ReadonlySet<string>> {
  const ids = await findReviewsOf(tx, call);
  await sql`
    select from review where workspace_id = ${call.workspaceId} and id = any (${ids}::uuid[]) order by id for update`.execute(
    tx,
  );
  return new Set(ids);
}
