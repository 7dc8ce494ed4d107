import { sql } from "kysely";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { fulfilAssignments, isFulfilledByOther } from "../draws/fulfil-assignments.ts";
import { assignmentClosed } from "../errors.ts";
import { type SkippedAssignment, skipForOtherAgents } from "./skip-for-other-agents.ts";

export interface OwnAssignment {
  readonly id: string;
  readonly selection: "drawn" | "second";
}

/** A call and who reviews it how. */
interface ReviewedCall {
  readonly callId: string;
  /** The agent of the call now. A call that was drawn for another agent is not a drawn one. */
  readonly agentId: string;
  readonly scorecardId: string;
  readonly reviewerId: string;
}

/** The open assignment for which a reviewer starts a review. The caller has locked the assignments of the call. */
export async function findOwnAssignment(
  tx: Db,
  workspaceId: string,
  { callId, agentId, scorecardId, reviewerId }: ReviewedCall,
): Promise<OwnAssignment | undefined> {
  const found = await tx
    .selectFrom("assignment")
    .select(["id", "kind"])
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .where("scorecardId", "=", scorecardId)
    .where("reviewerId", "=", reviewerId)
    .where("state", "=", "open")
    .where((row) => row.or([row("kind", "=", "second"), row("agentId", "=", agentId)]))
    .orderBy("kind")
    .orderBy("dueAt")
    .limit(1)
    .executeTakeFirst();
  return found && { id: found.id, selection: found.kind === "second" ? "second" : "drawn" };
}

export async function linkReview(tx: Db, workspaceId: string, id: string, reviewId: string): Promise<void> {
  await tx
    .updateTable("assignment")
    .set({ reviewId })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
}

/** The draft was discarded: the call is back on the queue. */
export async function unlinkReview(tx: Db, workspaceId: string, reviewId: string): Promise<void> {
  await tx
    .updateTable("assignment")
    .set({ reviewId: null })
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", reviewId)
    .where("state", "=", "open")
    .execute();
}

interface SubmittedReview extends ReviewedCall {
  readonly workspaceId: string;
  readonly id: string;
  readonly selection: string;
}

interface Finished {
  readonly selection: string;
  readonly skipped: readonly SkippedAssignment[];
}

/**
 * The review is being submitted. Finishes its assignments; throws if another review has finished them meanwhile. A review that its
 * reviewer picked before the call was drawn for them is the drawn one: the call is not reviewed twice. One of a call that was drawn
 * for another agent is a picked one. Returns how the call was selected.
 */
export async function finishAssignments(app: App, tx: Db, review: SubmittedReview, by: Actor): Promise<Finished> {
  const { workspaceId, callId, agentId } = review;
  const skipped =
    review.selection === "drawn" ? await skipForOtherAgents(app, tx, { workspaceId, callId, agentId }, by) : [];
  const isOthers = skipped.some(({ reviewId }) => reviewId === review.id);
  return { selection: isOthers ? "picked" : await finishBySelection(tx, review), skipped };
}

async function finishBySelection(tx: Db, review: SubmittedReview): Promise<string> {
  const { workspaceId, id } = review;
  if (review.selection === "picked") {
    const drawn = await findOwnAssignment(tx, workspaceId, review);
    if (drawn?.selection !== "drawn") return "picked";
    await linkReview(tx, workspaceId, drawn.id, id);
    await finish(tx, workspaceId, id);
    await fulfilAssignments(tx, review);
    return "drawn";
  }
  if (review.selection === "drawn" && (await isFulfilledByOther(tx, review))) throw assignmentClosed();
  await finish(tx, workspaceId, id);
  if (review.selection === "drawn") await fulfilAssignments(tx, review);
  return review.selection;
}

async function finish(tx: Db, workspaceId: string, reviewId: string): Promise<void> {
  await tx
    .updateTable("assignment")
    .set({ state: "done", doneAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", reviewId)
    .where("state", "=", "open")
    .execute();
}

/** The review was reopened. */
export async function reopenAssignment(tx: Db, workspaceId: string, reviewId: string): Promise<void> {
  await tx
    .updateTable("assignment")
    .set({ state: "open", doneAt: null })
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", reviewId)
    .where("state", "=", "done")
    .execute();
}
