import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { callNotFound } from "../../calls/errors.ts";
import { lockAssignments } from "../../plans/assignments/lock-assignments.ts";
import { reopenAssignment } from "../../plans/assignments/review-of-assignment.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { calibrationClosed, draftExists, notYourReview } from "../errors.ts";
import { requireCounted } from "../review/counted.ts";
import { findReview, keepCall, lockReview, type ReviewRow } from "../review/find-review.ts";
import { readRevision } from "../review/read-answers.ts";
import { requireState } from "../review/require-state.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { keepSessionOpen } from "../review/session-state.ts";
import { updateReview } from "../review/update-review.ts";

/** Makes a submitted review a draft of its reviewer again. Its revision stays; submitting adds the next one. */
export async function reopenReview(app: App, viewer: ReviewViewer, id: string, actor: Actor): Promise<ReviewRow> {
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const known = await findReview(tx, viewer, id);
    const isKept = await keepCall(tx, workspaceId, known.callId);
    const isOpen = await keepSessionOpen(tx, known);
    const review = await lockReview(tx, viewer, id);
    if (review.reviewerId !== viewer.id && viewer.sees !== "all") throw notYourReview();
    requireState(review, "submitted");
    // The reviewer of a second review sees the first one as soon as it is submitted.
    if (review.selection === "second") requireCounted(review);
    if (!isOpen) throw calibrationClosed();
    const other = await tx
      .selectFrom("review")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", review.callId)
      .where("scorecardId", "=", review.scorecardId)
      .where("reviewerId", "=", review.reviewerId)
      .where("state", "=", "draft")
      .executeTakeFirst();
    if (other) throw draftExists();
    if (!isKept) throw callNotFound();
    const { answers, comment } = await readRevision(tx, review, review.revision);
    await tx
      .insertInto("reviewDraft")
      .values({ workspaceId, reviewId: id, answers: JSON.stringify(answers), comment })
      .execute();
    await updateReview(tx, review, { state: "draft", score: null, outcome: null });
    await lockAssignments(tx, workspaceId, review.callId);
    await reopenAssignment(tx, workspaceId, id);
    const reopened = await lockReview(tx, viewer, id);
    await recordAuditEntry(tx, workspaceId, { actor, action: "review.reopened", subject: { type: "review", id } });
    return reopened;
  });
}
