import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { ChangedMeanwhile } from "../../platform/database/with-retries.ts";
import { keepReviewers } from "../draws/exclusions.ts";
import { findDraw } from "../draws/find-draw.ts";
import type { Staffing } from "../draws/hash-agents.ts";
import { chooseReviewer } from "./choose-reviewer.ts";
import { type AssignmentRow, selectAssignments } from "./find-assignment.ts";
import { lockAssignments } from "./lock-assignments.ts";

/** Locks the users who may get the call when its review is voided. Call it before the review is locked. */
export async function keepNextReviewers(tx: Db, workspaceId: string, reviewId: string): Promise<NextReviewers> {
  const assignments = await findDone(tx, workspaceId, reviewId);
  const ids = new Set<string>();
  for (const { drawId, reviewerId } of assignments) {
    const { staffing } = await findDraw(tx, workspaceId, drawId);
    for (const { userId } of (staffing as unknown as Staffing).reviewers) ids.add(userId);
    if (reviewerId) ids.add(reviewerId);
  }
  return { active: await keepReviewers(tx, workspaceId, [...ids]), of: new Set(assignments.map(({ id }) => id)) };
}

interface NextReviewers {
  readonly active: ReadonlySet<string>;
  /** Ids of assignments. */
  readonly of: ReadonlySet<string>;
}

/** The assignments that a review has finished: several if several plans drew its call. */
const findDone = (tx: Db, workspaceId: string, reviewId: string): Promise<AssignmentRow[]> =>
  selectAssignments(tx, { workspaceId, reviewerId: null, userId: null })
    .where("assignment.reviewId", "=", reviewId)
    .where("assignment.state", "=", "done")
    .orderBy("assignment.id")
    .execute();

interface VoidedReview {
  readonly workspaceId: string;
  readonly id: string;
  readonly callId: string;
}

/**
 * The review was voided: its call is to be reviewed again, or replaced if it is not the agent's any longer. Call it in `withRetries`: the
 * review may have finished another assignment since `keepNextReviewers`.
 */
export async function reopenVoided(
  tx: Db,
  { workspaceId, id, callId }: VoidedReview,
  next: NextReviewers,
): Promise<void> {
  await lockAssignments(tx, workspaceId, callId);
  for (const assignment of await findDone(tx, workspaceId, id)) {
    if (!next.of.has(assignment.id)) throw new ChangedMeanwhile();
    const reason = await findSkipReason(tx, assignment);
    const change = reason
      ? {
          state: "skipped",
          skipReason: reason,
          skipNote: "",
          toReplace: assignment.kind === "first",
        }
      : await findNewReviewer(tx, assignment, next);
    await tx
      .updateTable("assignment")
      .set({ ...change, reviewId: null, doneAt: null })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", assignment.id)
      .execute();
  }
}

async function findSkipReason(
  tx: Db,
  { workspaceId, callId, agentId }: AssignmentRow,
): Promise<"erased" | "wrong_agent" | undefined> {
  const call = await tx
    .selectFrom("call")
    .select("agentId")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", callId)
    .executeTakeFirst();
  if (!call) return "erased";
  return call.agentId === agentId ? undefined : "wrong_agent";
}

/** The same reviewer; for a second review another one, because its reviewer has seen the first. With new time to review. */
async function findNewReviewer(tx: Db, assignment: AssignmentRow, { active }: NextReviewers) {
  const { workspaceId, kind, reviewerId, declinedBy } = assignment;
  const draw = await findDraw(tx, workspaceId, assignment.drawId);
  const { dueDays } = draw.staffing as unknown as Staffing;
  const isSame = kind === "first" && reviewerId !== null && active.has(reviewerId);
  const declined = isSame || !reviewerId ? declinedBy : [...new Set([...declinedBy, reviewerId])];
  const next = isSame ? reviewerId : await chooseReviewer(tx, draw, { ...assignment, declinedBy: declined });
  return {
    state: "open",
    reviewerId: next ?? null,
    declinedBy: declined,
    dueAt: sql<Date>`greatest(due_at, now() + make_interval(days => ${dueDays}::int))`,
  };
}
