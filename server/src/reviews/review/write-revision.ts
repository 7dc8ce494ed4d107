import { isDeepStrictEqual } from "node:util";
import type { ReviewRevisionItem } from "@hearback/contract";
import type { Answers } from "@hearback/scoring/answers";
import { bareAnswer } from "@hearback/scoring/change-answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import type { VersionedResult } from "@hearback/scoring/result";
import type { Actor } from "../../platform/actor.ts";
import type { Db } from "../../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";
import type { ReviewedVersion } from "./scorecard-documents.ts";

type ChangedAnswer = ReviewRevisionItem["changed"][number];

export interface NewRevision {
  readonly cause: "submitted" | "corrected" | "dispute";
  readonly author: Actor;
  readonly answers: Answers;
  /** On the whole review. */
  readonly comment: string;
  /** Of a correction. */
  readonly reason?: string;
}

/** Ids of questions that are answered with text. */
export const findTextQuestions = ({ sections }: ScorecardDocument) =>
  new Set(sections.flatMap(({ questions }) => questions.filter(({ type }) => type === "text").map(({ id }) => id)));

/**
 * Adds a revision with its result. The caller updates the review. Texts, which are erased with the call, are stored apart: answers to
 * text questions, comments and the reason.
 */
export async function writeRevision(
  tx: Db,
  review: Pick<ReviewRow, "workspaceId" | "id" | "revision">,
  scored: ReviewedVersion,
  { cause, author, answers, comment, reason }: NewRevision,
): Promise<{ readonly number: number; readonly result: VersionedResult }> {
  const { scorecardId, version, document, digest } = scored;
  const result = {
    ...calculateResult(document, answers),
    scorecard: { id: scorecardId, version, sha256: digest },
  };
  const number = review.revision + 1;
  const keys = { workspaceId: review.workspaceId, reviewId: review.id };
  const isText = findTextQuestions(document);
  const given = Object.entries(answers).map(([id, answer]) => ({ id, answer, bare: bareAnswer(answer) }));
  const kept = given.filter(({ id, bare }) => !(isText.has(id) && "value" in bare) && Object.keys(bare).length > 0);
  await tx
    .insertInto("reviewRevision")
    .values({
      ...keys,
      number,
      authorType: author.type,
      authorId: author.id ?? "",
      cause,
      answers: JSON.stringify(Object.fromEntries(kept.map(({ id, bare }) => [id, bare]))),
      result: JSON.stringify(result),
      score: result.score,
      outcome: result.outcome,
    })
    .execute();
  const texts = [
    ...given
      .filter(({ answer }) => answer.comment || answer.moments?.length)
      .map(({ id, answer: { comment: text = "", moments = [] } }) => ({
        part: "answer",
        questionId: id,
        text,
        moments,
      })),
    ...given.flatMap(({ id: questionId, answer: { value } }) =>
      isText.has(questionId) && typeof value === "string"
        ? [{ part: "text", questionId, text: value, moments: [] }]
        : [],
    ),
    ...(comment ? [{ part: "review", questionId: "", text: comment, moments: [] }] : []),
    ...(reason ? [{ part: "reason", questionId: "", text: reason, moments: [] }] : []),
  ];
  if (texts.length > 0) {
    const rows = texts.map(({ part, questionId, text, moments }) => ({
      ...keys,
      revision: number,
      part,
      questionId,
      comment: text,
      moments: JSON.stringify(moments),
    }));
    await tx.insertInto("reviewComment").values(rows).execute();
  }
  return { number, result };
}

/** The answers that differ, without regard to comments and moments, in the order of question ids. */
export function changedAnswers(before: Answers, after: Answers): ChangedAnswer[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return ids
    .map((id) => ({ question_id: id, before: bareAnswer(before[id] ?? {}), after: bareAnswer(after[id] ?? {}) }))
    .filter((changed) => !isDeepStrictEqual(changed.before, changed.after));
}
