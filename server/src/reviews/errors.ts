import { errorCodes, exampleOf, ReviewDetailBody } from "@hearback/contract";
import type { AnswerProblem } from "@hearback/scoring/check-answers";
import { defineError } from "../platform/errors.ts";

export const reviewNotFound = defineError("review_not_found");
export const reviewStateWrong = defineError(
  "review_state_wrong",
  (state: string, needed: string) => `The review is ${state}. This is possible only while it is ${needed}.`,
  "released",
  "submitted",
);
export const notYourReview = defineError("not_your_review");
export const reviewChanged = defineError(
  "review_changed",
  (review: ReviewDetailBody) => ({ detail: errorCodes.review_changed.detail, members: { review } }),
  exampleOf(ReviewDetailBody),
);
export const reviewIncomplete = defineError(
  "review_incomplete",
  (problems: readonly AnswerProblem[]) => ({
    detail: `${problems.length} answer${problems.length === 1 ? " is" : "s are"} missing or invalid. \`errors\` lists them.`,
    issues: problems.map(({ question, code, message }) => ({ part: question, code, detail: message })),
  }),
  [{ question: "greeting", code: "missing", message: "Answer this question." }],
);
export const ownCall = defineError("own_call");
export const pickingOff = defineError("picking_off");
export const scorecardNotForCall = defineError(
  "scorecard_not_for_call",
  (why: "is retired" | "is for other campaigns") =>
    `The scorecard ${why}. GET /scorecards?campaign_id=… lists the scorecards for the call.`,
  "is for other campaigns",
);
export const answerInvalid = defineError(
  "answer_invalid",
  ({ question, code, message }: AnswerProblem) => ({
    detail: message,
    issues: [{ part: question, code, detail: message }],
  }),
  { question: "greeting", code: "wrong_type", message: 'The answer to "greeting" must be "yes" or "no".' },
);
export const draftExists = defineError("draft_exists");
export const reopenedDraft = defineError("reopened_draft");
export const callErased = defineError("call_erased");
export const nothingCorrected = defineError("nothing_corrected");
export const notDisputable = defineError("not_disputable");
export const disputeNotFound = defineError("dispute_not_found");
export const disputeResolved = defineError("dispute_resolved");
export const disputeLowersScore = defineError("dispute_lowers_score");
export const notArbiter = defineError("not_arbiter");
export const reviewNotCounted = defineError("review_not_counted");
export const calibrationNotFound = defineError("calibration_not_found");
export const calibrationClosed = defineError("calibration_closed");
export const calibrationOpen = defineError("calibration_open");
export const calibrationStarted = defineError("calibration_started");
export const whatIfNotFound = defineError("what_if_not_found");
export const whatIfLimitReached = defineError("what_if_limit_reached");
export const scorecardNotPublished = defineError("scorecard_not_published");
export const notParticipant = defineError("not_participant");
