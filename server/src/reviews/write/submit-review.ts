import { checkAnswers } from "@hearback/scoring/check-answers";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { callNotFound } from "../../calls/errors.ts";
import { lockAssignments } from "../../plans/assignments/lock-assignments.ts";
import { finishAssignments } from "../../plans/assignments/review-of-assignment.ts";
import { recordSkips } from "../../plans/assignments/skip-for-other-agents.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { countChange } from "../../scores/count-review.ts";
import { calibrationClosed, reviewIncomplete } from "../errors.ts";
import { isCounted } from "../review/counted.ts";
import { findReview, keepCallNow, lockReview, type ReviewRow } from "../review/find-review.ts";
import { rejectOwnCall } from "../review/impartial.ts";
import { readDraft } from "../review/read-answers.ts";
import { requireDraftOf, requireNumber } from "../review/require-state.ts";
import { emitReviewEvent } from "../review/review-event.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { keepSessionOpen } from "../review/session-state.ts";
import { updateReview } from "../review/update-review.ts";
import { writeRevision } from "../review/write-revision.ts";
import { releasedNow } from "./release-review.ts";

export interface SubmitInput {
  readonly id: string;
  readonly actor: Actor;
  readonly ifMatch: number;
}

/** A repeated request, whose first response was lost. */
const isRepeated = ({ state, reviewerId, number }: ReviewRow, viewer: ReviewViewer, ifMatch: number) =>
  reviewerId === viewer.id &&
  ((state === "submitted" && number === ifMatch + 1) ||
    // Submitted and released in one step or in two.
    (state === "released" && (number === ifMatch + 1 || number === ifMatch + 2)));

/** Submits a draft: writes its first or next revision, and releases it if the scorecard says so. */
export async function submitReview(app: App, viewer: ReviewViewer, input: SubmitInput): Promise<ReviewRow> {
  const { id, actor, ifMatch } = input;
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const known = await findReview(tx, viewer, id);
    // Agent and campaign may have been corrected since the review was started.
    const call = await keepCallNow(tx, workspaceId, known.callId);
    const isOpen = await keepSessionOpen(tx, known);
    const draft = await lockReview(tx, viewer, id);
    if (isRepeated(draft, viewer, ifMatch)) return draft;
    requireDraftOf(draft, viewer);
    await requireNumber(tx, draft, ifMatch, viewer);
    if (!isOpen) throw calibrationClosed();
    if (!call) throw callNotFound();
    const { agentId, campaignId } = call;
    await rejectOwnCall(tx, { agentId }, viewer);
    await lockAssignments(tx, workspaceId, draft.callId);
    const { selection, skipped } = await finishAssignments(app, tx, { ...draft, agentId }, actor);
    const review = { ...draft, agentId, campaignId, selection };
    const scored = await findReviewedVersion(tx, review);
    const { answers, comment } = await readDraft(tx, review);
    const problems = checkAnswers(scored.document, answers, { complete: true });
    if (problems.length > 0) throw reviewIncomplete(problems);
    const given = { cause: "submitted", author: actor, answers, comment } as const;
    const { number, result } = await writeRevision(tx, review, scored, given);
    await tx.deleteFrom("reviewDraft").where("workspaceId", "=", workspaceId).where("reviewId", "=", id).execute();
    const isReleased = scored.document.release === "on_submit" && isCounted(review);
    await updateReview(tx, review, {
      state: isReleased ? "released" : "submitted",
      revision: number,
      score: result.score,
      outcome: result.outcome,
      agentId,
      campaignId,
      selection,
      submittedAt: sql<Date>`now()`,
      teamId: sql`(select team_id from app_user where workspace_id = ${workspaceId} and id = ${agentId})`,
      ...(isReleased && releasedNow(scored.document.dispute_days)),
    });
    const submitted = await findReview(tx, viewer, id);
    if (isReleased) await countChange(tx, review, []);
    await emitReviewEvent(tx, "review.submitted", review);
    if (isReleased) await emitReviewEvent(tx, "review.released", review);
    await recordSkips(tx, review, skipped, actor);
    const subject = { type: "review", id };
    const data = { revision: number, released: isReleased };
    await recordAuditEntry(tx, workspaceId, { actor, action: "review.submitted", subject, data });
    return submitted;
  });
}
