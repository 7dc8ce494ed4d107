import type { ReviewBody } from "@hearback/contract";
import type { Answer } from "@hearback/scoring/answers";
import type { QuestionResult } from "@hearback/scoring/result";
import type { Cell } from "../../platform/export/csv.ts";
import type { Sheet } from "../../platform/export/write-rows.ts";

/** In points with two decimals, as people read them. JSON lines have hundredths, as the API does. */
const points = (hundredths: number | null): Cell => (hundredths === null ? null : (hundredths / 100).toFixed(2));

const reviewColumns: Readonly<Record<string, (review: ReviewBody) => Cell>> = {
  id: ({ id }) => id,
  call_id: ({ call_id }) => call_id,
  agent_id: ({ agent_id }) => agent_id,
  campaign_id: ({ campaign_id }) => campaign_id,
  team_id: ({ team_id }) => team_id,
  scorecard_id: ({ scorecard }) => scorecard.id,
  scorecard_name: ({ scorecard }) => scorecard.name,
  version: ({ scorecard }) => scorecard.version,
  reviewer_type: ({ reviewer }) => reviewer.type,
  reviewer_id: ({ reviewer }) => reviewer.id,
  selection: ({ selection }) => selection,
  calibration_id: ({ calibration_id }) => calibration_id,
  state: ({ state }) => state,
  revision: ({ revision }) => revision,
  score: ({ score }) => points(score),
  outcome: ({ outcome }) => outcome,
  active_ms: ({ active_ms }) => active_ms,
  created_at: ({ created_at }) => created_at,
  submitted_at: ({ submitted_at }) => submitted_at,
  released_at: ({ released_at }) => released_at,
  acknowledged_at: ({ acknowledged_at }) => acknowledged_at,
  dispute: ({ dispute }) => dispute,
  voided_at: ({ voided_at }) => voided_at,
};

/** One row per review. */
export const reviewSheet: Sheet<ReviewBody> = {
  columns: Object.keys(reviewColumns),
  toCells: (review) => Object.values(reviewColumns).map((cell) => cell(review)),
  toBody: (review) => review,
};

/** A question of a submitted review, in its latest revision. */
export interface AnswerRow {
  readonly review: ReviewBody;
  readonly result: QuestionResult;
  readonly title: string;
  readonly answer: Answer;
}

const answerColumns: Readonly<Record<string, (row: AnswerRow) => Cell>> = {
  review_id: ({ review }) => review.id,
  call_id: ({ review }) => review.call_id,
  agent_id: ({ review }) => review.agent_id,
  campaign_id: ({ review }) => review.campaign_id,
  selection: ({ review }) => review.selection,
  state: ({ review }) => review.state,
  scorecard_id: ({ review }) => review.scorecard.id,
  version: ({ review }) => review.scorecard.version,
  revision: ({ review }) => review.revision,
  submitted_at: ({ review }) => review.submitted_at,
  section_id: ({ result }) => result.section,
  question_id: ({ result }) => result.question,
  question: ({ title }) => title,
  value: ({ answer: { value } }) => (Array.isArray(value) ? value.join(" ") : (value ?? null)),
  not_applicable: ({ answer }) => String(answer.not_applicable === true),
  cause: ({ result }) => result.cause,
  points: ({ result }) => result.points,
  maximum: ({ result }) => result.maximum,
  applied_weight: ({ result }) => points(result.applied_weight),
  lost: ({ result }) => points(result.lost),
  comment: ({ answer }) => answer.comment ?? null,
};

/** One row per question. */
export const answerSheet: Sheet<AnswerRow> = {
  columns: Object.keys(answerColumns),
  toCells: (row) => Object.values(answerColumns).map((cell) => cell(row)),
  toBody: ({ review, result, title, answer }) => ({
    review_id: review.id,
    call_id: review.call_id,
    agent_id: review.agent_id,
    campaign_id: review.campaign_id,
    selection: review.selection,
    state: review.state,
    scorecard: review.scorecard,
    revision: review.revision,
    submitted_at: review.submitted_at,
    ...result,
    title,
    answer,
  }),
};
