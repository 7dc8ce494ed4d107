import { isDeepStrictEqual } from "node:util";
import type { Answer, Answers } from "@hearback/scoring/answers";
import { calculateResult } from "@hearback/scoring/formula";
import type { VersionedResult } from "@hearback/scoring/result";
import type { Actor } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";
import type { ReviewedVersion } from "./scorecard-documents.ts";

export interface NewRevision {
  readonly cause: "submitted" | "corrected" | "dispute";
  readonly author: Actor;
  readonly answers: Answers;
  /** On the whole review. */
  readonly comment: string;
  /** Of a correction. */
  readonly reason?: string;
}

/** The answer itself, without what is erased with the call. */
const bare = ({ value, not_applicable }: Answer) =>
  not_applicable ? { not_applicable } : value === undefined ? {} : { value };

/** Adds a revision with its result. The caller updates the review. */
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
  const given = Object.entries(answers).filter(([, answer]) => Object.keys(bare(answer)).length > 0);
  await tx
    .insertInto("reviewRevision")
    .values({
      ...keys,
      number,
      authorType: author.type,
      authorId: author.id ?? "",
      cause,
      answers: JSON.stringify(Object.fromEntries(given.map(([id, answer]) => [id, bare(answer)]))),
      result: JSON.stringify(result),
      score: result.score,
      outcome: result.outcome,
    })
    .execute();
  const texts = [
    ...Object.entries(answers)
      .filter(([, { comment: text, moments }]) => text || moments?.length)
      .map(([questionId, { comment: text = "", moments = [] }]) => ({ part: "answer", questionId, text, moments })),
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

/** Questions whose answers differ, without regard to comments and moments. */
export function changedQuestions(before: Answers, after: Answers): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...ids].filter((id) => !isDeepStrictEqual(bare(before[id] ?? {}), bare(after[id] ?? {}))).sort();
}
