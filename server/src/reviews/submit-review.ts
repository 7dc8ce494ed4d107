import { checkAnswers } from "@hearback/scoring/check-answers";
import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { reviewIncomplete } from "./errors.ts";
import { findReview, lockReview, type ReviewRow } from "./find-review.ts";
import { readDraft } from "./read-answers.ts";
import { releasedNow } from "./release-review.ts";
import { requireDraftOf, requireNumber } from "./require-state.ts";
import { emitReviewEvent } from "./review-event.ts";
import type { ReviewViewer } from "./review-viewer.ts";
import { findReviewedVersion } from "./scorecard-documents.ts";
import { updateReview } from "./update-review.ts";
import { writeRevision } from "./write-revision.ts";

export interface SubmitInput {
  readonly id: string;
  readonly actor: Actor;
  readonly ifMatch: number;
}

/** A repeated request, whose first response was lost. */
const isRepeated = ({ state, reviewerId, number }: ReviewRow, viewer: ReviewViewer, ifMatch: number) =>
  (state === "submitted" || state === "released") && reviewerId === viewer.id && number === ifMatch + 1;

/** Submits a draft: writes its first or next revision, and releases it if the scorecard says so. */
export async function submitReview(app: App, viewer: ReviewViewer, input: SubmitInput): Promise<ReviewRow> {
  const { id, actor, ifMatch } = input;
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    if (isRepeated(review, viewer, ifMatch)) return review;
    requireDraftOf(review, viewer);
    await requireNumber(tx, review, ifMatch, viewer);
    const scored = await findReviewedVersion(tx, review);
    const { answers, comment } = await readDraft(tx, review);
    const problems = checkAnswers(scored.document, answers, { complete: true });
    if (problems.length > 0) throw reviewIncomplete(problems);
    const given = { cause: "submitted", author: actor, answers, comment } as const;
    const { number, result } = await writeRevision(tx, review, scored, given);
    await tx.deleteFrom("reviewDraft").where("workspaceId", "=", workspaceId).where("reviewId", "=", id).execute();
    const isReleased = scored.document.release === "on_submit";
    await updateReview(tx, review, {
      state: isReleased ? "released" : "submitted",
      revision: number,
      score: result.score,
      outcome: result.outcome,
      submittedAt: sql<Date>`now()`,
      teamId: sql`(select team_id from app_user where workspace_id = ${workspaceId} and id = ${review.agentId})`,
      ...(isReleased && releasedNow(scored.document.dispute_days)),
    });
    const submitted = await findReview(tx, viewer, id);
    await emitReviewEvent(tx, "review.submitted", review);
    if (isReleased) await emitReviewEvent(tx, "review.released", review);
    const subject = { type: "review", id };
    const data = { revision: number, released: isReleased };
    await recordAuditEntry(tx, workspaceId, { actor, action: "review.submitted", subject, data });
    return submitted;
  });
}
