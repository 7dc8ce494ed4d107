import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

export interface OwnAssignment {
  readonly id: string;
  readonly selection: "drawn" | "second";
}

/** The open assignment for which a reviewer starts a review. */
export async function findOwnAssignment(
  tx: Db,
  workspaceId: string,
  {
    callId,
    scorecardId,
    reviewerId,
  }: { readonly callId: string; readonly scorecardId: string; readonly reviewerId: string },
): Promise<OwnAssignment | undefined> {
  const found = await tx
    .selectFrom("assignment")
    .select(["id", "kind"])
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .where("scorecardId", "=", scorecardId)
    .where("reviewerId", "=", reviewerId)
    .where("state", "=", "open")
    .orderBy("dueAt")
    .limit(1)
    .forNoKeyUpdate()
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

/** The review was submitted. */
export async function finishAssignment(tx: Db, workspaceId: string, reviewId: string): Promise<void> {
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
