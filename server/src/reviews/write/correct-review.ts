import type { Answers } from "@hearback/scoring/answers";
import { changeAnswers, isWorse } from "@hearback/scoring/change-answers";
import { checkAnswers } from "@hearback/scoring/check-answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { countChange, readBefore } from "../../scores/count-review.ts";
import { nothingCorrected, reviewIncomplete } from "../errors.ts";
import { requireCounted } from "../review/counted.ts";
import { findReview, lockReview, type ReviewRow } from "../review/find-review.ts";
import { requireImpartial, requireThirdPerson } from "../review/impartial.ts";
import { readRevision } from "../review/read-answers.ts";
import { requireState } from "../review/require-state.ts";
import { rejectTextsIfErased, requireText } from "../review/require-text.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { updateReview } from "../review/update-review.ts";
import { changedAnswers, findTextQuestions, writeRevision } from "../review/write-revision.ts";

export interface CorrectionInput {
  readonly id: string;
  readonly actor: Actor;
  /** The answers that change. */
  readonly answers: Answers;
  readonly reason: string;
}

/** The agent has not objected to this revision yet, and has time to do so if the review is released. */
const objectionsFrom = (revision: number, { dispute_days: days }: ScorecardDocument) => ({
  objectionsFrom: revision,
  ...(days > 0 && {
    disputableUntil: sql`case when released_at is not null then greatest(disputable_until, now() + make_interval(days => ${days}::int)) end`,
  }),
});

/** Changes answers of a submitted or released review: adds a revision. The earlier ones stay visible. */
export async function correctReview(app: App, viewer: ReviewViewer, input: CorrectionInput): Promise<ReviewRow> {
  const { id, actor, answers: changes, reason } = input;
  const { workspaceId } = viewer;
  return inWorkspace(app, workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    requireCounted(review);
    requireState(review, "submitted", "released");
    await requireImpartial(tx, review, viewer);
    const scored = await findReviewedVersion(tx, review);
    requireText(review, "reason", reason);
    rejectTextsIfErased(review, scored.document, changes);
    const before = await readRevision(tx, review, review.revision);
    const answers = changeAnswers(before.answers, changes);
    const isText = findTextQuestions(scored.document);
    // Comments and answers in words may be erased with the call.
    const problems = checkAnswers(scored.document, answers, { complete: true }).filter(({ code, question }) =>
      code === "comment_required"
        ? question in changes && !review.isCallErased
        : code !== "missing" || !review.isCallErased || !isText.has(question),
    );
    if (problems.length > 0) throw reviewIncomplete(problems);
    const changed = changedAnswers(before.answers, answers).map(({ question_id }) => question_id);
    if (changed.length === 0) throw nothingCorrected();
    const correction = { cause: "corrected", author: actor, answers, comment: before.comment, reason } as const;
    const counted = await readBefore(tx, review);
    const { number, result } = await writeRevision(tx, review, scored, correction);
    const isLowered = before.result !== null && isWorse(result, before.result);
    if (isLowered) await requireThirdPerson(tx, review, viewer);
    await updateReview(tx, review, {
      revision: number,
      score: result.score,
      outcome: result.outcome,
      ...(isLowered && objectionsFrom(number, scored.document)),
    });
    const corrected = await findReview(tx, viewer, id);
    const subject = { type: "review", id };
    const data = { revision: number, changed };
    await countChange(tx, review, counted);
    await recordAuditEntry(tx, workspaceId, { actor, action: "review.corrected", subject, data });
    return corrected;
  });
}
