import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { lockAssignments } from "../../plans/assignments/lock-assignments.ts";
import { unlinkReview } from "../../plans/assignments/review-of-assignment.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { reopenedDraft } from "../errors.ts";
import { lockReview } from "../review/find-review.ts";
import { readDraft } from "../review/read-answers.ts";
import { requireDraftOf, requireNumber } from "../review/require-state.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { updateReview } from "../review/update-review.ts";

export interface SaveCommentInput {
  readonly id: string;
  /** On the whole review. */
  readonly comment: string;
  readonly ifMatch: number;
}

/** Saves the comment of a draft. */
export async function saveComment(app: App, viewer: ReviewViewer, input: SaveCommentInput): Promise<void> {
  const { id, comment, ifMatch } = input;
  await inWorkspace(app, viewer.workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    requireDraftOf(review, viewer);
    const isSame = (await readDraft(tx, review)).comment === comment;
    await requireNumber(tx, review, ifMatch, viewer, { isSame });
    if (isSame) return;
    await tx
      .updateTable("reviewDraft")
      .set({ comment })
      .where("workspaceId", "=", viewer.workspaceId)
      .where("reviewId", "=", id)
      .execute();
    await updateReview(tx, review, {});
  });
}

/** Saves the active time of a draft, which never decreases: two windows measure separately. Returns the number of the review. */
export async function saveActiveTime(app: App, viewer: ReviewViewer, id: string, activeMs: number): Promise<number> {
  return inWorkspace(app, viewer.workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    requireDraftOf(review, viewer);
    if (activeMs > review.activeMs) {
      await tx
        .updateTable("review")
        .set({ activeMs })
        .where("workspaceId", "=", viewer.workspaceId)
        .where("id", "=", id)
        .execute();
    }
    return review.number;
  });
}

/** Deletes a draft that was never submitted. One that was reopened must be submitted again. */
export async function discardDraft(
  app: App,
  viewer: ReviewViewer,
  { id, actor }: { readonly id: string; readonly actor: Actor },
): Promise<void> {
  await inWorkspace(app, viewer.workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    requireDraftOf(review, viewer);
    if (review.revision > 0) throw reopenedDraft();
    await tx.deleteFrom("review").where("workspaceId", "=", viewer.workspaceId).where("id", "=", id).execute();
    await lockAssignments(tx, viewer.workspaceId, review.callId);
    await unlinkReview(tx, viewer.workspaceId, id);
    const subject = { type: "review", id };
    const data = { call_id: review.callId };
    await recordAuditEntry(tx, viewer.workspaceId, { actor, action: "review.discarded", subject, data });
  });
}
