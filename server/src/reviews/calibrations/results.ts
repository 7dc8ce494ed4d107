import type { CalibrationAnswersBody, CalibrationResultsBody } from "@hearback/contract";
import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer, Answers, Moment } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { visibleQuestions } from "@hearback/scoring/visibility";
import type { Db } from "../../platform/database/database.ts";
import { errorVariant } from "../../platform/errors.ts";
import { collectAgreements, toQuestionAgreement } from "../agreement/collect-agreements.ts";
import { calibrationNotFound, calibrationOpen } from "../errors.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { compareScores } from "./compare-scores.ts";
import { type CalibrationRow, findCalibration, listCallsOf, listParticipantsOf } from "./find-calibration.ts";
import { scoreAgreement } from "./score-agreement.ts";

type Decision = NonNullable<CalibrationAnswersBody["decision"]>;
type Outcome = CalibrationResultsBody["calls"][number]["scores"][number]["outcome"];

/** Throws while the session is open: nobody sees answers before everybody has given theirs. */
async function findClosed(tx: Db, viewer: ReviewViewer, id: string): Promise<CalibrationRow> {
  const session = await findCalibration(tx, viewer, id);
  if (session.state !== "closed") throw calibrationOpen();
  return session;
}

/** Submitted reviews of one call of a session, with their answers, in the order of reviewers. At most 50. */
const readReviewsOf = (tx: Db, { workspaceId, id }: CalibrationRow, callId: string) =>
  tx
    .selectFrom("review")
    .innerJoin("reviewRevision as revision", (join) =>
      join
        .onRef("revision.workspaceId", "=", "review.workspaceId")
        .onRef("revision.reviewId", "=", "review.id")
        .onRef("revision.number", "=", "review.revision"),
    )
    .select(["review.id", "review.reviewerId", "review.score", "review.outcome", "review.revision", "revision.answers"])
    .where("review.workspaceId", "=", workspaceId)
    .where("review.calibrationId", "=", id)
    .where("review.callId", "=", callId)
    .where("review.state", "=", "submitted")
    .orderBy("review.reviewerId")
    .execute();

async function readDecisions(tx: Db, { workspaceId, id }: CalibrationRow): Promise<ReadonlyMap<string, Decision>> {
  const rows = await tx
    .selectFrom("calibrationDecision")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("calibrationId", "=", id)
    .execute();
  return new Map(rows.map((row) => [row.questionId, toDecision(row)]));
}

export const toDecision = (row: {
  readonly text: string;
  readonly decidedByType: string;
  readonly decidedById: string;
  readonly decidedAt: Date;
}): Decision => ({
  text: row.text,
  decided_by: { type: row.decidedByType as "user" | "key", id: row.decidedById },
  decided_at: row.decidedAt.toISOString(),
});

/** Agreement per question and each participant's distance from the expert or the median, of a closed session. */
export async function findResults(tx: Db, viewer: ReviewViewer, id: string): Promise<CalibrationResultsBody> {
  const session = await findClosed(tx, viewer, id);
  const { document } = await findReviewedVersion(tx, session);
  const agreements = collectAgreements(document);
  const calls: CalibrationResultsBody["calls"][number][] = [];
  const people = new Set(await listParticipantsOf(tx, session));
  const listed = await listCallsOf(tx, session);
  for (const { callId } of listed) {
    const reviews = await readReviewsOf(tx, session, callId);
    agreements.add(reviews.map(({ answers }) => ({ document, answers: answers as unknown as Answers })));
    for (const { reviewerId } of reviews) people.add(reviewerId);
    const scores = reviews.map((review) => ({
      user_id: review.reviewerId,
      review_id: review.id,
      score: review.score,
      outcome: review.outcome as Outcome,
    }));
    calls.push({ call_id: callId, reference_score: null, scores });
  }
  const participants = [...people].sort();
  const compared = compareScores(calls, participants, session.expertId);
  // A call that was erased before everybody had scored it does not count as missing.
  const erased = new Set(listed.filter(({ erasedAt }) => erasedAt !== null).map(({ callId }) => callId));
  const counted = calls.filter(({ call_id, scores }) => !erased.has(call_id) || scores.length === participants.length);
  const decisions = await readDecisions(tx, session);
  const results = await agreements.results();
  return {
    reference: session.expertId === null ? "median" : "expert",
    ...scoreAgreement(counted, participants),
    ...compared,
    questions: results.map((result) => ({
      ...toQuestionAgreement(result),
      decision: decisions.get(result.question.id) ?? null,
    })),
  };
}

/** The path names a question that the version of the session does not have. */
export const questionNotFound = errorVariant(
  calibrationNotFound,
  "question_not_in_session",
  "The scorecard version of this calibration session has no such question.",
);

/** Throws unless the document has the question. */
export function requireQuestion({ sections }: ScorecardDocument, questionId: string) {
  const question = sections.flatMap(({ questions }) => questions).find(({ id }) => id === questionId);
  if (!question) throw questionNotFound();
  return question;
}

/** The answers of all participants to one question, side by side, with comments and moments. */
export async function findAnswers(
  tx: Db,
  viewer: ReviewViewer,
  { id, questionId }: { readonly id: string; readonly questionId: string },
): Promise<CalibrationAnswersBody> {
  const session = await findClosed(tx, viewer, id);
  const { document } = await findReviewedVersion(tx, session);
  const question = requireQuestion(document, questionId);
  const calls: CalibrationAnswersBody["calls"][number][] = [];
  for (const { callId } of await listCallsOf(tx, session)) {
    const reviews = await readReviewsOf(tx, session, callId);
    const texts = await readTexts(
      tx,
      session.workspaceId,
      reviews.map((review) => review.id),
      question.id,
    );
    const answers = reviews.map((review) => {
      const given = review.answers as unknown as Answers;
      const isVisible = visibleQuestions(document, given).has(question.id);
      const bare = (isVisible && answerTo(given, question.id)) || {};
      return {
        user_id: review.reviewerId,
        review_id: review.id,
        answer: { ...bare, ...texts.get(`${review.id} ${review.revision}`) },
      };
    });
    calls.push({ call_id: callId, answers });
  }
  const decision = (await readDecisions(tx, session)).get(question.id) ?? null;
  return { question_id: question.id, calls, decision };
}

/** Comments, moments and answers in words, by review and revision. */
async function readTexts(tx: Db, workspaceId: string, reviewIds: readonly string[], questionId: string) {
  const byReview = new Map<string, Answer>();
  if (reviewIds.length === 0) return byReview;
  const rows = await tx
    .selectFrom("reviewComment")
    .select(["reviewId", "revision", "part", "comment", "moments"])
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "in", reviewIds)
    .where("part", "in", ["answer", "text"])
    .where("questionId", "=", questionId)
    .execute();
  for (const { reviewId, revision, part, comment, moments: stored } of rows) {
    const key = `${reviewId} ${revision}`;
    const moments = stored as unknown as Moment[];
    const text =
      part === "text" ? { value: comment } : { ...(comment && { comment }), ...(moments.length > 0 && { moments }) };
    byReview.set(key, { ...byReview.get(key), ...text });
  }
  return byReview;
}
