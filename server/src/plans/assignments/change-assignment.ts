import type { AssignmentBody, SkipReason } from "@hearback/contract";
import type { Updateable } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Assignment } from "../../platform/database/tables.ts";
import { withRetries } from "../../platform/database/with-retries.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { runHandlers } from "../../platform/hooks.ts";
import { draftComplete, reviewerExcluded } from "../errors.ts";
import { draftsAbandoned } from "../hooks.ts";
import { chooseReviewer, mayReview } from "./choose-reviewer.ts";
import {
  type AssignmentRow,
  type AssignmentViewer,
  findAssignment,
  selectAssignments,
  toAssignmentBody,
} from "./find-assignment.ts";
import { hasCompleteDraft } from "./has-complete-draft.ts";
import { lockOpenAssignment } from "./lock-assignment.ts";
import { replaceSkipped } from "./replace-skipped.ts";

export interface SkipInput {
  readonly id: string;
  readonly actor: Actor;
  readonly reason: SkipReason;
  readonly note: string;
}

/** Skips a call that cannot be reviewed. The agent's next ticket takes its place. */
export async function skipAssignment(app: App, viewer: AssignmentViewer, input: SkipInput): Promise<AssignmentBody> {
  const { id, actor, reason, note } = input;
  return changeOpen(app, viewer, async (tx) => {
    const { workspaceId } = viewer;
    const { assignment } = await lockOpenAssignment(tx, viewer, id, { replaces: true });
    const skip = { state: "skipped", skipReason: reason, skipNote: note, skippedBy: actor.id, reviewId: null };
    const drafts = draftOf(assignment);
    await tx.updateTable("assignment").set(skip).where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    if (assignment.kind === "first") {
      drafts.push(...(await skipSecond(tx, assignment, skip)));
      // A reviewer with a conflict of interest in one call of the agent may have it in the next.
      const except = reason === "conflict" && assignment.reviewerId ? [assignment.reviewerId] : [];
      await replaceSkipped(app, tx, { workspaceId, id: assignment.drawId }, assignment.agentId, except);
    }
    const skipped = await findAssignment(tx, viewer, id);
    await abandon(app, tx, assignment, drafts, actor);
    const subject = { type: "assignment", id };
    const data = { call_id: assignment.callId, reason };
    await recordAuditEntry(tx, workspaceId, { actor, action: "assignment.skipped", subject, data });
    return toAssignmentBody(skipped, viewer);
  });
}

const changeOpen = (app: App, { workspaceId }: AssignmentViewer, change: (tx: Db) => Promise<AssignmentBody>) =>
  withRetries(() => inWorkspace(app, workspaceId, change));

/** Skips the second review of a call whose first one is skipped: there is nothing to compare it with. */
async function skipSecond(
  tx: Db,
  { workspaceId, drawId, callId }: AssignmentRow,
  skip: Updateable<Assignment>,
): Promise<string[]> {
  const second = await selectAssignments(tx, { workspaceId, reviewerId: null, userId: null })
    .where("assignment.drawId", "=", drawId)
    .where("assignment.callId", "=", callId)
    .where("assignment.kind", "=", "second")
    .where("assignment.state", "=", "open")
    .executeTakeFirst();
  if (!second) return [];
  await tx
    .updateTable("assignment")
    .set(skip)
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", second.id)
    .execute();
  return draftOf(second);
}

const draftOf = ({ reviewId }: AssignmentRow): string[] => (reviewId === null ? [] : [reviewId]);

/** The answers are about a call that is not reviewed, or by another person. */
const abandon = (
  app: App,
  tx: Db,
  { workspaceId, callId }: AssignmentRow,
  reviewIds: readonly string[],
  actor: Actor,
): Promise<void> => runHandlers(app, tx, draftsAbandoned, { workspaceId, callId, reviewIds, actor });

/** Gives a call back. Another reviewer of the plan gets it; if nobody can, it waits for a supervisor. */
export async function handBackAssignment(
  app: App,
  viewer: AssignmentViewer,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<AssignmentBody> {
  return changeOpen(app, viewer, async (tx) => {
    const { assignment, draw } = await lockOpenAssignment(tx, viewer, id);
    const { reviewerId, declinedBy } = assignment;
    const declined = reviewerId ? [...new Set([...declinedBy, reviewerId])] : declinedBy;
    const next = (await chooseReviewer(tx, draw, { ...assignment, declinedBy: declined })) ?? null;
    await assign(tx, assignment, next, declined);
    await abandon(app, tx, assignment, draftOf(assignment), actor);
    const subject = { type: "assignment", id };
    const data = { reviewer_id: next };
    await recordAuditEntry(tx, viewer.workspaceId, { actor, action: "assignment.handed_back", subject, data });
    // The caller may no longer see it.
    return toAssignmentBody({ ...assignment, reviewerId: next, reviewId: null }, viewer);
  });
}

export interface ReassignInput {
  readonly id: string;
  readonly actor: Actor;
  readonly reviewerId: string;
  /** Whether the reviewer's draft is deleted although all its questions are answered. */
  readonly discardsDraft: boolean;
}

/** Gives a call to another reviewer. Deletes the draft that was started for it. */
export async function reassign(app: App, viewer: AssignmentViewer, input: ReassignInput): Promise<AssignmentBody> {
  const { id, actor, reviewerId, discardsDraft } = input;
  return changeOpen(app, viewer, async (tx) => {
    const { assignment, draw, active } = await lockOpenAssignment(tx, viewer, id, { reviewerId });
    if (!active.has(reviewerId))
      throw fieldInvalid("reviewer_id", "unknown", "must be the id of an active user who may review");
    if (assignment.reviewerId === reviewerId) return toAssignmentBody(assignment, viewer);
    if (!(await mayReview(tx, draw, assignment, reviewerId))) throw reviewerExcluded();
    if (!discardsDraft && (await hasCompleteDraft(tx, assignment))) throw draftComplete();
    await assign(tx, assignment, reviewerId, assignment.declinedBy);
    const changed = await findAssignment(tx, viewer, id);
    await abandon(app, tx, assignment, draftOf(assignment), actor);
    const subject = { type: "assignment", id };
    const data = { from: assignment.reviewerId, to: reviewerId };
    await recordAuditEntry(tx, viewer.workspaceId, { actor, action: "assignment.reassigned", subject, data });
    return toAssignmentBody(changed, viewer);
  });
}

async function assign(
  tx: Db,
  assignment: AssignmentRow,
  reviewerId: string | null,
  declinedBy: string[],
): Promise<void> {
  await tx
    .updateTable("assignment")
    .set({ reviewerId, declinedBy, reviewId: null })
    .where("workspaceId", "=", assignment.workspaceId)
    .where("id", "=", assignment.id)
    .execute();
}
