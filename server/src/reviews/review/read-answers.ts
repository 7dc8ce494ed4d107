import type { Answers, Moment } from "@hearback/scoring/answers";
import type { VersionedResult } from "@hearback/scoring/result";
import type { Db } from "../../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";

export interface ReviewAnswers {
  readonly answers: Answers;
  readonly comment: string;
  /** Null: a draft. */
  readonly result: VersionedResult | null;
}

type Key = Pick<ReviewRow, "workspaceId" | "id">;

export async function readDraft(tx: Db, { workspaceId, id }: Key): Promise<ReviewAnswers> {
  const draft = await tx
    .selectFrom("reviewDraft")
    .select(["answers", "comment"])
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", id)
    .executeTakeFirst();
  return {
    answers: (draft?.answers ?? {}) as unknown as Answers,
    comment: draft?.comment ?? "",
    result: null,
  };
}

/** The answers of a revision with their comments and moments. */
export async function readRevision(tx: Db, { workspaceId, id }: Key, number: number): Promise<ReviewAnswers> {
  const revision = await tx
    .selectFrom("reviewRevision")
    .select(["answers", "result"])
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", id)
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  const texts = await tx
    .selectFrom("reviewComment")
    .select(["part", "questionId", "comment", "moments"])
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", id)
    .where("revision", "=", number)
    .execute();
  const answers = { ...(revision.answers as unknown as Answers) };
  for (const { part, questionId, comment, moments: stored } of texts) {
    if (part === "text") answers[questionId] = { ...answers[questionId], value: comment };
    if (part !== "answer") continue;
    const moments = stored as unknown as Moment[];
    answers[questionId] = {
      ...answers[questionId],
      ...(comment && { comment }),
      ...(moments.length > 0 && { moments }),
    };
  }
  return {
    answers,
    comment: texts.find(({ part }) => part === "review")?.comment ?? "",
    result: revision.result as unknown as VersionedResult,
  };
}

/** The answers of the draft, or of the latest revision. */
export const readAnswers = (tx: Db, review: ReviewRow): Promise<ReviewAnswers> =>
  review.state === "draft" ? readDraft(tx, review) : readRevision(tx, review, review.revision);
