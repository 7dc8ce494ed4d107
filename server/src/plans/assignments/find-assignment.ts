import type { AssignmentBody } from "@hearback/contract";
import { type Selectable, sql } from "kysely";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Assignment } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { assignmentNotFound } from "../errors.ts";

export type AssignmentRow = Selectable<Assignment> & { readonly planName: string };

/** What a caller may see of assignments. */
export interface AssignmentViewer {
  readonly workspaceId: string;
  /** Only the queue of this user; null: all. */
  readonly reviewerId: string | null;
  /** The signed-in user. Null: an API key. */
  readonly userId: string | null;
}

export const assignmentViewerOf = (caller: Caller): AssignmentViewer => ({
  workspaceId: caller.workspaceId,
  reviewerId: caller.kind === "session" && caller.role === "reviewer" ? caller.userId : null,
  userId: caller.kind === "session" ? caller.userId : null,
});

export const selectAssignments = (tx: Db, { workspaceId, reviewerId, userId }: AssignmentViewer) =>
  tx
    .selectFrom("assignment")
    .innerJoin("reviewPlan", (join) =>
      join
        .onRef("reviewPlan.workspaceId", "=", "assignment.workspaceId")
        .onRef("reviewPlan.id", "=", "assignment.planId"),
    )
    .selectAll("assignment")
    .select("reviewPlan.name as planName")
    .where("assignment.workspaceId", "=", workspaceId)
    .$if(reviewerId !== null, (rows) => rows.where("assignment.reviewerId", "=", reviewerId))
    .$if(reviewerId === null && userId !== null, (rows) => rows.where(isNotOtherReview(userId ?? "")));

/** Condition on `assignment`: it is not the other review of a call that the user has to review, who does not know that there is one. */
const isNotOtherReview = (userId: string) => sql<boolean>`not exists (select from assignment as own
  where own.workspace_id = assignment.workspace_id and own.draw_id = assignment.draw_id and own.call_id = assignment.call_id
    and own.id <> assignment.id and own.reviewer_id = ${userId} and own.state = 'open')`;

export async function findAssignment(tx: Db, viewer: AssignmentViewer, id: string): Promise<AssignmentRow> {
  const found = isUuid(id)
    ? await selectAssignments(tx, viewer)
        .where("assignment.id", "=", id)
        .where("assignment.state", "!=", "pending")
        .executeTakeFirst()
    : undefined;
  if (!found) throw assignmentNotFound();
  return found;
}

export function toAssignmentBody(row: AssignmentRow, { reviewerId, userId }: AssignmentViewer): AssignmentBody {
  const isBlind = reviewerId !== null || (row.reviewerId === userId && row.state === "open");
  return {
    id: row.id,
    plan: { id: row.planId, name: row.planName },
    draw_id: row.drawId,
    call_id: row.callId,
    agent_id: row.agentId,
    scorecard_id: row.scorecardId,
    // A second review is blind: the reviewer does not know that it is one.
    kind: isBlind ? null : (row.kind as "first" | "second"),
    state: row.state as AssignmentBody["state"],
    reviewer_id: row.reviewerId,
    due_at: row.dueAt.toISOString(),
    review_id: row.reviewId,
    done_at: row.doneAt?.toISOString() ?? null,
    skipped: row.skipReason
      ? { reason: row.skipReason as NonNullable<AssignmentBody["skipped"]>["reason"], note: row.skipNote ?? "" }
      : null,
  };
}
