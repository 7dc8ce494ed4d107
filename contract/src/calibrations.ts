import { questionTypes } from "@hearback/scoring/question";
import { outcomes } from "@hearback/scoring/result";
import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { cursor, exampleOf, integerUpTo, next } from "./page.ts";
import { AnswerBody, reviewStates, Score } from "./reviews.ts";
import { nameUpTo, text } from "./text.ts";
import { Time } from "./time.ts";

export const calibrationStates = ["open", "closed"] as const;
export type CalibrationState = (typeof calibrationStates)[number];

const examples = {
  id: "0190f3c2-6c0b-7d6e-9b0e-3b1f2c4d0f6a",
  call: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
  review: "0190f3c2-6c0b-7d6e-9b0e-6a3b1f2c4d0f",
  scorecard: { id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f", version: 3, name: "Support call" },
  participants: ["3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11", "7f5e3f0c-9d8e-4f0e-9a55-8a110c8f5c3f"],
  expert: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11",
  other: "7f5e3f0c-9d8e-4f0e-9a55-8a110c8f5c3f",
};

/** Of a session. */
export const calibrationLimits = { calls: { min: 1, max: 50 }, participants: { min: 2, max: 50 } } as const;

const unique = (ids: readonly string[]) => new Set(ids).size === ids.length;
const Calls = z
  .array(z.uuid("must be the id of a call"), "must be a list of ids")
  .max(calibrationLimits.calls.max, "must have at most 50 calls")
  .refine(unique, "must not contain a call twice");
const CallIds = Calls.min(calibrationLimits.calls.min, "must have at least one call");
const Participants = z
  .array(z.uuid("must be the id of a user"), "must be a list of ids")
  .max(calibrationLimits.participants.max, "must have at most 50 participants")
  .refine(unique, "must not contain a user twice");
const ParticipantIds = Participants.min(calibrationLimits.participants.min, "must have at least two participants");

const Name = nameUpTo(120);
const settings = {
  due_at: Time.nullable()
    .optional()
    .meta({ description: "When the participants should be done. Nothing closes by itself." }),
  expert_id: z.uuid("must be the id of a user").nullable().optional().meta({
    description: "A participant whom the others are compared with. null: the median of all.",
  }),
};

export const CreateCalibrationBody = z
  .strictObject({
    name: Name,
    scorecard_id: z
      .uuid("must be the id of a scorecard")
      .meta({ description: "The session uses the version that is the latest now." }),
    call_ids: CallIds,
    participant_ids: ParticipantIds.meta({ description: "Reviewers, supervisors or administrators." }),
    ...settings,
  })
  .meta({
    id: "CreateCalibration",
    examples: [
      {
        name: "November",
        scorecard_id: examples.scorecard.id,
        call_ids: [examples.call],
        participant_ids: examples.participants,
        expert_id: examples.expert,
      },
    ],
  });

export const ChangeCalibrationBody = z
  .strictObject({
    name: Name.optional(),
    add_call_ids: Calls.optional().meta({ description: "Those of the session stay." }),
    remove_call_ids: Calls.optional().meta({ description: "Only before the first submission." }),
    add_participant_ids: Participants.optional().meta({ description: "Those of the session stay." }),
    remove_participant_ids: Participants.optional().meta({ description: "Only before the first submission." }),
    ...settings,
  })
  .meta({ id: "ChangeCalibration", examples: [{ name: "November, second try" }] });

export const CalibrationBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scorecard: z.object({ id: z.uuid(), version: z.int(), name: z.string() }),
    state: z.enum(calibrationStates),
    due_at: z.iso.datetime().nullable(),
    expert_id: z.uuid().nullable(),
    calls: z.int().meta({ description: "How many calls can be scored; erased ones cannot." }),
    participants: z.int(),
    submitted: z.int().meta({ description: "How many reviews are submitted, of all participants." }),
    created_by: ActorRef,
    created_at: z.iso.datetime(),
    closed_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: "Calibration",
    examples: [
      {
        id: examples.id,
        name: "November",
        scorecard: examples.scorecard,
        state: "open",
        due_at: null,
        expert_id: examples.expert,
        calls: 1,
        participants: 2,
        submitted: 1,
        created_by: { type: "user", id: examples.expert },
        created_at: "2026-11-15T08:00:00.000Z",
        closed_at: null,
      },
    ],
  });
export type CalibrationBody = z.output<typeof CalibrationBody>;

export const CalibrationDetailBody = CalibrationBody.extend({
  call_list: z.array(
    z.object({
      call_id: z.uuid(),
      erased: z.boolean(),
      review: z
        .object({ id: z.uuid(), state: z.enum(reviewStates) })
        .nullable()
        .meta({ description: "Your own. null: not started." }),
    }),
  ),
  progress: z
    .array(z.object({ user_id: z.uuid(), submitted: z.int() }))
    .meta({ description: "How many calls each participant has scored." }),
}).meta({
  id: "CalibrationDetail",
  examples: [
    {
      ...exampleOf(CalibrationBody),
      call_list: [{ call_id: examples.call, erased: false, review: { id: examples.review, state: "submitted" } }],
      progress: [
        { user_id: examples.expert, submitted: 1 },
        { user_id: examples.other, submitted: 0 },
      ],
    },
  ],
});
export type CalibrationDetailBody = z.output<typeof CalibrationDetailBody>;

export const CalibrationPageBody = z
  .object({ calibrations: z.array(CalibrationBody), next })
  .meta({ id: "CalibrationPage", examples: [{ calibrations: [exampleOf(CalibrationBody)], next: null }] });
export type CalibrationPageBody = z.output<typeof CalibrationPageBody>;

export const ListCalibrationsQuery = z.object({
  state: z.enum(calibrationStates, "must be open or closed").optional(),
  cursor,
  limit: integerUpTo(200, 50),
});

const Estimate = z
  .object({
    value: z
      .number()
      .nullable()
      .meta({ description: "null: cannot be calculated, such as α if all answers are equal." }),
    low: z.number().nullable().meta({
      description: "Of the 95 % interval. null: none, because the calls show no spread.",
    }),
    high: z.number().nullable(),
  })
  .meta({ id: "AgreementEstimate" });
export const AgreementBody = z
  .object({
    calls: z.int().meta({ description: "Calls with two or more answers." }),
    too_few: z.boolean().meta({ description: "true: fewer than 8 calls, too few to say." }),
    raw: Estimate.meta({ description: "Share of pairs of answers that are equal." }),
    alpha: Estimate.meta({ description: "Krippendorff's α; ordinal for a scale." }),
    ac: Estimate.meta({ description: "Gwet's AC1; AC2 for a scale." }),
  })
  .meta({ id: "Agreement" });
export type AgreementBody = z.output<typeof AgreementBody>;

const exampleAgreement: AgreementBody = {
  calls: 12,
  too_few: false,
  raw: { value: 0.83, low: 0.51, high: 0.97 },
  alpha: { value: 0.66, low: null, high: null },
  ac: { value: 0.68, low: 0.11, high: 0.94 },
};

const questionAgreement = {
  question_id: z.string(),
  title: z.string(),
  type: z.enum(questionTypes),
  applicability: AgreementBody.nullable().meta({
    description: "On whether the question is applicable. null: always applicable, or text.",
  }),
  answer: AgreementBody.nullable().meta({
    description: "On the answer, among those who thought the question applicable. null: text.",
  }),
};
const exampleQuestion = {
  question_id: "greeting",
  title: "Greets with company and own name",
  type: "yes_no",
  applicability: null,
  answer: exampleAgreement,
} as const;

const Decision = z
  .object({ text: z.string(), decided_by: ActorRef, decided_at: z.iso.datetime() })
  .meta({ id: "CalibrationDecision" });
const exampleDecision = {
  text: "The company's name alone is not enough.",
  decided_by: { type: "user" as const, id: examples.expert },
  decided_at: "2026-11-16T08:00:00.000Z",
};

const noIccReasons = ["missing_scores", "too_few_calls", "no_differences", "one_call"] as const;

export const CalibrationResultsBody = z
  .object({
    reference: z.enum(["expert", "median"]).meta({ description: "Whom the participants are compared with." }),
    icc: z.number().nullable().meta({ description: "ICC(2,1) of total scores. null: see no_icc." }),
    no_icc: z
      .object({ reason: z.enum(noIccReasons), call_id: z.uuid().nullable() })
      .nullable()
      .meta({
        description:
          "missing_scores: a participant did not score every call. too_few_calls: fewer than 10. no_differences: all scores are equal. one_call: very different without `call_id`.",
      }),
    participants: z.array(
      z.object({
        user_id: z.uuid(),
        calls: z.int().meta({ description: "Calls on which this person is compared." }),
        distance: z.number().nullable().meta({
          description: "Mean absolute difference from the reference score, in hundredths of a point.",
        }),
        bias: z.number().nullable().meta({ description: "Mean difference: negative is stricter than the reference." }),
      }),
    ),
    calls: z.array(
      z.object({
        call_id: z.uuid(),
        reference_score: z.number().nullable().meta({ description: "In hundredths of a point." }),
        scores: z.array(
          z.object({
            user_id: z.uuid(),
            review_id: z.uuid(),
            score: Score,
            outcome: z.enum(outcomes),
          }),
        ),
      }),
    ),
    questions: z.array(z.object({ ...questionAgreement, decision: Decision.nullable() })),
  })
  .meta({
    id: "CalibrationResults",
    examples: [
      {
        reference: "expert",
        icc: null,
        no_icc: { reason: "too_few_calls", call_id: null },
        participants: [{ user_id: examples.other, calls: 1, distance: 500, bias: -500 }],
        calls: [
          {
            call_id: examples.call,
            reference_score: 9235,
            scores: [{ user_id: examples.other, review_id: examples.review, score: 8735, outcome: "passed" }],
          },
        ],
        questions: [{ ...exampleQuestion, decision: exampleDecision }],
      },
    ],
  });
export type CalibrationResultsBody = z.output<typeof CalibrationResultsBody>;

export const CalibrationAnswersBody = z
  .object({
    question_id: z.string(),
    calls: z.array(
      z.object({
        call_id: z.uuid(),
        answers: z.array(
          z.object({
            user_id: z.uuid(),
            review_id: z.uuid(),
            answer: AnswerBody.meta({ description: "Empty: the question was hidden." }),
          }),
        ),
      }),
    ),
    decision: Decision.nullable(),
  })
  .meta({
    id: "CalibrationAnswers",
    examples: [
      {
        question_id: "greeting",
        calls: [
          {
            call_id: examples.call,
            answers: [{ user_id: examples.other, review_id: examples.review, answer: { value: "no" } }],
          },
        ],
        decision: exampleDecision,
      },
    ],
  });
export type CalibrationAnswersBody = z.output<typeof CalibrationAnswersBody>;

export const DecideCalibrationBody = z
  .strictObject({
    text: text(0, 2000).meta({ description: "Empty: removes the decision." }),
    apply: z.boolean("must be true or false").optional().meta({
      description: "true: adds the text to the guidance of the question, in the draft of the scorecard.",
    }),
  })
  .meta({ id: "DecideCalibration", examples: [{ text: exampleDecision.text, apply: true }] });
export const appliedDecisions = ["added", "already_there", "question_missing", "too_long"] as const;
export type AppliedDecision = (typeof appliedDecisions)[number];
export const CalibrationDecidedBody = z
  .object({
    decision: Decision.nullable(),
    applied: z.enum(appliedDecisions).nullable().meta({
      description:
        "What became of `apply`. question_missing: the draft no longer has the question. too_long: the guidance would exceed its limit.",
    }),
  })
  .meta({ id: "CalibrationDecided", examples: [{ decision: exampleDecision, applied: "added" }] });
export type CalibrationDecidedBody = z.output<typeof CalibrationDecidedBody>;

export const AgreementQuery = z.object({
  scorecard_id: z.uuid("must be the id of a scorecard"),
  from: Time.optional().meta({ description: "Second reviews submitted at or after this time." }),
  to: Time.optional().meta({ description: "Second reviews submitted before this time." }),
});
export const AgreementReportBody = z
  .object({
    scorecard: z.object({ id: z.uuid(), version: z.int(), name: z.string() }),
    pairs: z.int().meta({ description: "First reviews and their blind second reviews that were compared." }),
    complete: z.boolean().meta({ description: "false: there are more. The newest were compared, at most 20,000." }),
    questions: z.array(z.object(questionAgreement)),
  })
  .meta({
    id: "AgreementReport",
    examples: [{ scorecard: examples.scorecard, pairs: 12, complete: true, questions: [exampleQuestion] }],
  });
export type AgreementReportBody = z.output<typeof AgreementReportBody>;
