import type { Answers } from "@hearback/scoring/answers";
import { checkAnswers } from "@hearback/scoring/check-answers";
import type { Db } from "../../platform/database/database.ts";
import { findVersion } from "../../scorecards/find-scorecard.ts";
import type { AssignmentRow } from "./find-assignment.ts";

/** Whether the draft that was started for the assignment was never submitted, but could be: all its questions are answered. */
export async function hasCompleteDraft(tx: Db, { workspaceId, reviewId }: AssignmentRow): Promise<boolean> {
  const draft = await tx
    .selectFrom("review")
    .innerJoin("reviewDraft", (join) =>
      join.onRef("reviewDraft.workspaceId", "=", "review.workspaceId").onRef("reviewDraft.reviewId", "=", "review.id"),
    )
    .select(["review.scorecardId", "review.version", "reviewDraft.answers"])
    .where("review.workspaceId", "=", workspaceId)
    .where("review.id", "=", reviewId)
    .where("review.revision", "=", 0)
    .executeTakeFirst();
  if (!draft) return false;
  const { document } = await findVersion(tx, workspaceId, draft);
  return checkAnswers(document, draft.answers as unknown as Answers, { complete: true }).length === 0;
}
