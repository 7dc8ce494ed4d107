import { isDeepStrictEqual } from "node:util";
import type { Answer } from "@hearback/scoring/answers";
import { checkAnswers } from "@hearback/scoring/check-answers";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { requireStorableJson } from "../../platform/database/require-storable-json.ts";
import { answerInvalid } from "../errors.ts";
import { lockReview } from "../review/find-review.ts";
import { readDraft } from "../review/read-answers.ts";
import { requireDraftOf, requireNumber } from "../review/require-state.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { updateReview } from "../review/update-review.ts";

export interface SaveAnswerInput {
  readonly id: string;
  readonly question: string;
  /** Empty: removes the answer. */
  readonly answer: Answer;
  readonly ifMatch: number;
}

/** Ten times the longest comment with all its moments. */
const maxBytes = 100_000;

/** Saves the answer to one question of a draft. Returns the new number of the review. */
export async function saveAnswer(app: App, viewer: ReviewViewer, input: SaveAnswerInput): Promise<number> {
  const { id, question, answer, ifMatch } = input;
  requireStorableJson("answer", answer, maxBytes);
  return inWorkspace(app, viewer.workspaceId, async (tx) => {
    const review = await lockReview(tx, viewer, id);
    requireDraftOf(review, viewer);
    const { answers } = await readDraft(tx, review);
    const isSame = isDeepStrictEqual(answers[question] ?? {}, answer);
    await requireNumber(tx, review, ifMatch, viewer, { isSame });
    if (isSame) return review.number;
    const { document } = await findReviewedVersion(tx, review);
    const [problem] = checkAnswers(document, { [question]: answer }, { complete: false });
    if (problem) throw answerInvalid(problem);
    const isEmpty = Object.keys(answer).length === 0;
    await tx
      .updateTable("reviewDraft")
      .set({
        answers: isEmpty
          ? sql`answers - ${question}::text`
          : sql`answers || jsonb_build_object(${question}::text, ${JSON.stringify(answer)}::jsonb)`,
      })
      .where("workspaceId", "=", viewer.workspaceId)
      .where("reviewId", "=", id)
      .execute();
    return updateReview(tx, review, {});
  });
}
