import type { ReviewBody, ReviewDetailBody, ReviewRevisionItem } from "@hearback/contract";
import type { Answers } from "@hearback/scoring/answers";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";
import { readAnswers } from "./read-answers.ts";
import { allowedActions } from "./review-actions.ts";
import type { ReviewViewer } from "./review-viewer.ts";
import { changedAnswers } from "./write-revision.ts";

const time = (at: Date | null) => at?.toISOString() ?? null;

/** A second review is blind: until it is submitted, nobody sees that it is one. */
const shownSelection = ({ selection, state, revision }: ReviewRow) =>
  selection === "second" && state === "draft" && revision === 0 ? "drawn" : (selection as ReviewBody["selection"]);

export const toReviewBody = (review: ReviewRow): ReviewBody => ({
  id: review.id,
  call_id: review.callId,
  agent_id: review.agentId,
  campaign_id: review.campaignId,
  team_id: review.teamId,
  scorecard: { id: review.scorecardId, version: review.version, name: review.scorecardName },
  reviewer: { type: review.reviewerType as "user" | "key", id: review.reviewerId },
  selection: shownSelection(review),
  calibration_id: review.calibrationId,
  state: review.state as ReviewBody["state"],
  number: review.number,
  revision: review.revision,
  score: review.score,
  outcome: review.outcome as ReviewBody["outcome"],
  active_ms: review.activeMs,
  created_at: review.createdAt.toISOString(),
  submitted_at: time(review.submittedAt),
  released_at: time(review.releasedAt),
  disputable_until: time(review.disputableUntil),
  acknowledged_at: time(review.acknowledgedAt),
  dispute: review.dispute as ReviewBody["dispute"],
  voided_at: time(review.voidedAt),
});

/** At most so many revisions are listed. */
const maxRevisions = 100;

async function listRevisions(tx: Db, { workspaceId, id }: ReviewRow): Promise<ReviewRevisionItem[]> {
  const rows = await tx
    .selectFrom("reviewRevision")
    .leftJoin("reviewComment", (join) =>
      join
        .onRef("reviewComment.workspaceId", "=", "reviewRevision.workspaceId")
        .onRef("reviewComment.reviewId", "=", "reviewRevision.reviewId")
        .onRef("reviewComment.revision", "=", "reviewRevision.number")
        .on("reviewComment.part", "=", "reason"),
    )
    .select(["number", "at", "authorType", "authorId", "cause", "answers", "score", "outcome", "comment as reason"])
    .select(
      sql<Answers | null>`(select jsonb_object_agg(question_id, jsonb_build_object('value', comment)) from review_comment as text
        where text.workspace_id = review_revision.workspace_id and text.review_id = review_revision.review_id
          and text.revision = review_revision.number and part = 'text')`.as("texts"),
    )
    .where("reviewRevision.workspaceId", "=", workspaceId)
    .where("reviewRevision.reviewId", "=", id)
    .orderBy("number", "desc")
    .limit(maxRevisions + 1)
    .execute();
  return rows.slice(0, maxRevisions).map((row, at) => ({
    number: row.number,
    at: row.at.toISOString(),
    author: { type: row.authorType as "user" | "key", id: row.authorId },
    cause: row.cause as ReviewRevisionItem["cause"],
    reason: row.reason,
    score: row.score,
    outcome: row.outcome as ReviewRevisionItem["outcome"],
    changed: row.number === 1 ? [] : changedAnswers(answersOf(rows[at + 1]), answersOf(row)),
  }));
}

/** All answers of a revision, without comments and moments. */
const answersOf = (row: { readonly answers: unknown; readonly texts: Answers | null } | undefined): Answers => ({
  ...(row?.answers as Answers | undefined),
  ...row?.texts,
});

/** The review with its answers, result and history. Answers of a draft are for its reviewer only. */
export async function toReviewDetail(tx: Db, review: ReviewRow, viewer: ReviewViewer): Promise<ReviewDetailBody> {
  const isHidden = review.state === "draft" && review.reviewerId !== viewer.id;
  const { answers, comment, result } = isHidden
    ? { answers: {}, comment: "", result: null }
    : await readAnswers(tx, review);
  const { voidedByType, voidedById, voidReason } = review;
  return {
    ...toReviewBody(review),
    answers,
    comment,
    result,
    acknowledgement: review.acknowledgement,
    voided:
      voidedByType === null
        ? null
        : { by: { type: voidedByType as "user" | "key", id: voidedById }, reason: voidReason ?? "" },
    revisions: await listRevisions(tx, review),
    actions: await allowedActions(tx, review, viewer),
  };
}
