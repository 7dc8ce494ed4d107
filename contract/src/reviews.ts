import { Answer, Answers, Moment } from "@hearback/scoring/answers";
import { outcomes, VersionedResult } from "@hearback/scoring/result";
import { z } from "zod";
import { ActorRef } from "./actor.ts";
import { CampaignId } from "./campaigns.ts";
import { exportOptions } from "./export.ts";
import { booleanParameter, cursor, exampleOf, integerUpTo, next, opaqueCursor, opaqueNext } from "./page.ts";
import { Problem } from "./problem.ts";
import { text } from "./text.ts";
import { Time } from "./time.ts";

export type { Answer as ReviewAnswer, Answers as ReviewAnswers } from "@hearback/scoring/answers";
export type { VersionedResult as ReviewResult } from "@hearback/scoring/result";

export const reviewStates = ["draft", "submitted", "released", "voided"] as const;
export type ReviewState = (typeof reviewStates)[number];
export const reviewSelections = ["drawn", "picked", "calibration", "second"] as const;
export type ReviewSelection = (typeof reviewSelections)[number];
/** What the caller may do with a review now. */
export const reviewActions = [
  "answer",
  "submit",
  "discard",
  "reopen",
  "release",
  "correct",
  "void",
  "acknowledge",
  "dispute",
  "resolve",
] as const;
export type ReviewAction = (typeof reviewActions)[number];

/** In responses, which may gain members. */
const ReviewMoment = z.object(Moment.shape).meta({ id: "ReviewMoment" });
export const AnswerBody = z
  .object({ ...Answer.shape, moments: z.array(ReviewMoment).optional() })
  .meta({ id: "ReviewAnswer" });

const scoreDescription = "In hundredths of a point: 87.35 is 8735. null: not scored, or a draft.";
export const Score = z.int().nullable().meta({ description: scoreDescription });
const Outcome = z.enum(outcomes);

export const StartReviewBody = z
  .strictObject({
    call_id: z.uuid("must be the id of a call"),
    scorecard_id: z
      .uuid("must be the id of a scorecard")
      .optional()
      .meta({ description: "Required unless the review is for a calibration session." }),
    calibration_id: z
      .uuid("must be the id of a calibration session")
      .optional()
      .meta({ description: "The review is for this session, on its version of the scorecard." }),
  })
  .meta({
    id: "StartReview",
    examples: [
      {
        call_id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
        scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
      },
    ],
  });

export const ReviewBody = z
  .object({
    id: z.uuid(),
    call_id: z.uuid(),
    agent_id: z.uuid(),
    campaign_id: z.string(),
    team_id: z.uuid().nullable().meta({ description: "The team of the agent when the review was submitted." }),
    scorecard: z.object({ id: z.uuid(), version: z.int(), name: z.string() }),
    reviewer: ActorRef,
    selection: z.enum(reviewSelections).meta({
      description:
        "How the call was selected: drawn by a plan, picked by a person, for a calibration session, or as a blind second review, which a draft does not show.",
    }),
    calibration_id: z.uuid().nullable().meta({ description: "The calibration session that it is for." }),
    state: z.enum(reviewStates),
    number: z.int().meta({ description: "Grows with every change. Send it as `If-Match` with the next change." }),
    revision: z.int().meta({ description: "The latest revision. 0: never submitted." }),
    score: Score,
    outcome: Outcome.nullable(),
    active_ms: z.int().meta({ description: "Time that the reviewer worked on it." }),
    created_at: z.iso.datetime(),
    submitted_at: z.iso.datetime().nullable(),
    released_at: z.iso.datetime().nullable(),
    disputable_until: z.iso.datetime().nullable(),
    acknowledged_at: z.iso.datetime().nullable(),
    dispute: z.enum(["open", "resolved"]).nullable().meta({ description: "The state of the latest dispute." }),
    voided_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: "Review",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-6a3b1f2c4d0f",
        call_id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
        agent_id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
        campaign_id: "support-fr",
        team_id: null,
        scorecard: { id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f", version: 3, name: "Support call" },
        reviewer: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
        selection: "picked",
        calibration_id: null,
        state: "released",
        number: 27,
        revision: 1,
        score: 8735,
        outcome: "passed",
        active_ms: 412_000,
        created_at: "2026-11-15T08:00:00.000Z",
        submitted_at: "2026-11-15T08:09:00.000Z",
        released_at: "2026-11-15T08:09:00.000Z",
        disputable_until: "2026-11-29T08:09:00.000Z",
        acknowledged_at: null,
        dispute: null,
        voided_at: null,
      },
    ],
  });
export type ReviewBody = z.output<typeof ReviewBody>;

const RevisionItem = z
  .object({
    number: z.int(),
    at: z.iso.datetime(),
    author: ActorRef,
    cause: z.enum(["submitted", "corrected", "dispute"]).meta({
      description: "submitted by the reviewer, corrected by a supervisor, or changed by the decision on a dispute.",
    }),
    reason: z.string().nullable().meta({ description: "Why it was corrected." }),
    score: Score,
    outcome: Outcome,
    changed: z
      .array(z.object({ question_id: z.string(), before: AnswerBody, after: AnswerBody }))
      .meta({ description: "Answers that differ from the previous revision. Without comments and moments." }),
  })
  .meta({ id: "ReviewRevisionItem" });
export type ReviewRevisionItem = z.output<typeof RevisionItem>;

export const ReviewDetailBody = ReviewBody.extend({
  answers: z.record(z.string(), AnswerBody).meta({ description: "By question id." }),
  comment: z.string().meta({ description: "On the whole review." }),
  result: VersionedResult.nullable().meta({ description: "The score breakdown. null: a draft." }),
  acknowledgement: z.string().nullable().meta({ description: "The agent's note." }),
  voided: z.object({ by: ActorRef, reason: z.string() }).nullable(),
  revisions: z.array(RevisionItem).meta({ description: "Newest first." }),
  actions: z.array(z.enum(reviewActions)).meta({ description: "What you may do with the review now." }),
}).meta({
  id: "ReviewDetail",
  examples: [
    {
      ...exampleOf(ReviewBody),
      score: 0,
      outcome: "failed",
      answers: { greeting: { value: "no", comment: "Only the company.", moments: [{ start_ms: 1000, end_ms: 4000 }] } },
      comment: "Friendly and quick.",
      result: {
        formula: "hearback/1",
        score: 0,
        score_before_fail: 0,
        lost_by_fail: 0,
        outcome: "failed",
        failed_by: [],
        sections: [
          {
            section: "opening",
            score: 0,
            score_before_fail: 0,
            failed: false,
            points: 0,
            maximum: 1,
            weight: 100,
            applied_weight: 10_000,
          },
        ],
        questions: [
          {
            question: "greeting",
            section: "opening",
            points: 0,
            maximum: 1,
            weight: 100,
            applied_weight: 10_000,
            lost: 10_000,
            cause: null,
          },
        ],
        tags: [],
        scorecard: {
          id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
          version: 3,
          sha256: "5d3c1ff1b1e8bb5a8d0b3a2f8e5f8c1b9f1d1c0a7b6e5d4c3b2a190807060504",
        },
      },
      acknowledgement: null,
      voided: null,
      revisions: [
        {
          number: 1,
          at: "2026-11-15T08:09:00.000Z",
          author: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
          cause: "submitted",
          reason: null,
          score: 0,
          outcome: "failed",
          changed: [],
        },
      ],
      actions: ["acknowledge", "dispute"],
    },
  ],
});
export type ReviewDetailBody = z.output<typeof ReviewDetailBody>;

export const ReviewPageBody = z
  .object({ reviews: z.array(ReviewBody), next: opaqueNext })
  .meta({ id: "ReviewPage", examples: [{ reviews: [exampleOf(ReviewBody)], next: null }] });
export type ReviewPageBody = z.output<typeof ReviewPageBody>;

export const ListReviewsQuery = z.object({
  call_id: z.uuid("must be the id of a call").optional(),
  agent_id: z.uuid("must be the id of a user").optional(),
  reviewer_id: z.uuid("must be the id of a user or API key").optional(),
  scorecard_id: z.uuid("must be the id of a scorecard").optional(),
  campaign_id: CampaignId.optional(),
  team_id: z.uuid("must be the id of a team").optional(),
  state: z
    .enum(reviewStates, `must be one of ${reviewStates.join(", ")}`)
    .optional()
    .meta({
      description: "submitted: reviews that wait for release, without calibration and second reviews.",
    }),
  outcome: z.enum(outcomes, `must be one of ${outcomes.join(", ")}`).optional(),
  selection: z.enum(reviewSelections, `must be one of ${reviewSelections.join(", ")}`).optional(),
  failed_question: z
    .string("must not be repeated")
    .max(60, "must have at most 60 characters")
    .optional()
    .meta({ description: "Reviews whose answer to this question got no points." }),
  called_from: z.iso.date("must be a date such as 2026-11-15").optional().meta({
    description: "Reviews of calls on or after this day (UTC), latest call first.",
  }),
  called_to: z.iso.date("must be a date such as 2026-11-15").optional().meta({
    description: "Reviews of calls on or before this day (UTC).",
  }),
  disputed: booleanParameter.optional().meta({ description: "true: only reviews with an open dispute." }),
  from: Time.optional().meta({ description: "Reviews started at or after this time." }),
  to: Time.optional().meta({ description: "Reviews started before this time." }),
  cursor: opaqueCursor,
  limit: integerUpTo(200, 50),
});
export type ListReviewsQuery = z.output<typeof ListReviewsQuery>;

export const ExportReviewsQuery = ListReviewsQuery.omit({ cursor: true, limit: true }).extend({
  ...exportOptions,
  rows: z
    .enum(["reviews", "answers"], "must be reviews or answers")
    .default("reviews")
    .meta({ description: "reviews: one row per review. answers: one row per question of each submitted review." }),
});

/** The answer to one question. An empty object removes it. */
export const SaveAnswerBody = Answer.meta({ id: "SaveAnswer", examples: [{ value: "yes", comment: "At 0:12." }] });
export const SavedBody = z
  .object({ number: z.int().meta({ description: "Send it as `If-Match` with the next change." }) })
  .meta({ id: "Saved", examples: [{ number: 28 }] });
export type SavedBody = z.output<typeof SavedBody>;

export const ChangeReviewBody = z
  .strictObject({
    comment: text(0, 4000).optional().meta({ description: "On the whole review." }),
    active_ms: z
      .int("must be a whole number of milliseconds")
      .min(0, "must not be negative")
      .max(24 * 60 * 60 * 1000, "must be at most 86400000")
      .optional()
      .meta({ description: "Time that the reviewer worked on it so far." }),
  })
  .meta({ id: "ChangeReview", examples: [{ comment: "Friendly and quick.", active_ms: 95_000 }] });

const onlyIfErased = "Blank only if the call was erased: then texts are not stored.";
const Reason = text(0, 2000).meta({ description: onlyIfErased });

export const CorrectReviewBody = z
  .strictObject({
    answers: Answers.meta({ description: "The answers that change, by question id." }),
    reason: Reason.meta({ description: `The agent reads it. ${onlyIfErased}`, example: "The greeting was at 0:04." }),
  })
  .meta({ id: "CorrectReview", examples: [{ answers: { greeting: { value: "yes" } }, reason: "It was at 0:04." }] });

export const VoidReviewBody = z
  .strictObject({ reason: Reason })
  .meta({ id: "VoidReview", examples: [{ reason: "The call belongs to another agent." }] });

export const ReleaseReviewsBody = z
  .strictObject({
    ids: z
      .array(z.uuid("must be the id of a review"))
      .min(1, "must have at least one id")
      .max(200, "must have at most 200 ids"),
  })
  .meta({ id: "ReleaseReviews", examples: [{ ids: ["0190f3c2-6c0b-7d6e-9b0e-6a3b1f2c4d0f"] }] });
export const ReviewsReleasedBody = z
  .object({
    released: z.array(z.uuid()),
    skipped: z
      .array(z.uuid())
      .meta({ description: "Reviews that were not waiting for release, and those that are never released." }),
  })
  .meta({
    id: "ReviewsReleased",
    examples: [{ released: ["0190f3c2-6c0b-7d6e-9b0e-6a3b1f2c4d0f"], skipped: [] }],
  });
export type ReviewsReleasedBody = z.output<typeof ReviewsReleasedBody>;

export const AcknowledgeReviewBody = z
  .strictObject({ note: text(0, 2000).optional() })
  .meta({ id: "AcknowledgeReview", examples: [{ note: "Thank you." }] });

const DisputeItem = z.strictObject({
  question_id: z.string("must be text").max(60, "must have at most 60 characters"),
  proposed: Answer.meta({ description: "The answer that the agent thinks right: value or not_applicable." }),
  reason: Reason,
  moment: Moment.optional(),
});

export const OpenDisputeBody = z
  .strictObject({
    items: z.array(DisputeItem).min(1, "must have at least one question").max(50, "must have at most 50 questions"),
  })
  .meta({
    id: "OpenDispute",
    examples: [{ items: [{ question_id: "greeting", proposed: { value: "yes" }, reason: "I said my name at 0:04." }] }],
  });
export type OpenDisputeBody = z.output<typeof OpenDisputeBody>;

export const ResolveDisputeBody = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          question_id: z.string("must be text").max(60, "must have at most 60 characters"),
          decision: z.enum(["upheld", "changed"], "must be upheld or changed"),
          answer: Answer.optional().meta({ description: "With `changed`: the new answer. Default: the proposed one." }),
          explanation: Reason.meta({ description: `The agent reads it. ${onlyIfErased}` }),
        }),
      )
      .min(1, "must have at least one question")
      .max(50, "must have at most 50 questions"),
  })
  .meta({
    id: "ResolveDispute",
    examples: [{ items: [{ question_id: "greeting", decision: "changed", explanation: "Your name is at 0:04." }] }],
  });
export type ResolveDisputeBody = z.output<typeof ResolveDisputeBody>;

export const DisputeBody = z
  .object({
    id: z.uuid(),
    review_id: z.uuid(),
    call_id: z.uuid(),
    agent_id: z.uuid(),
    scorecard: z.object({ id: z.uuid(), version: z.int(), name: z.string() }),
    reviewer: ActorRef,
    level: z.int().meta({ description: "2: against the decision of the first." }),
    state: z.enum(["open", "resolved"]),
    arbiter_id: z
      .uuid()
      .nullable()
      .meta({ description: "Decides it. null: nobody can; an administrator must assign one." }),
    opened_at: z.iso.datetime(),
    due_at: z.iso.datetime(),
    overdue: z.boolean(),
    resolved_at: z.iso.datetime().nullable(),
    resolved_by: ActorRef.nullable(),
    test_case: z.string().nullable().meta({
      description: "The name of the scorecard's test case that the dispute is kept as. null: it is not kept.",
    }),
    items: z.array(
      z.object({
        question_id: z.string(),
        answer: AnswerBody.meta({ description: "The answer that the agent objects to." }),
        proposed: AnswerBody,
        reason: z.string(),
        moment: ReviewMoment.nullable(),
        decision: z.enum(["upheld", "changed"]).nullable(),
        decided: AnswerBody.nullable().meta({ description: "The new answer. null: not changed." }),
        explanation: z.string().nullable(),
      }),
    ),
  })
  .meta({
    id: "Dispute",
    examples: [
      {
        id: "0190f3c2-6c0b-7d6e-9b0e-1f2c4d0f6a3b",
        review_id: "0190f3c2-6c0b-7d6e-9b0e-6a3b1f2c4d0f",
        call_id: "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d",
        agent_id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
        scorecard: { id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f", version: 3, name: "Support call" },
        reviewer: { type: "user", id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" },
        level: 1,
        state: "open",
        arbiter_id: "7f5e3f0c-9d8e-4f0e-7a55-8a110c8f5c3f",
        opened_at: "2026-11-15T09:00:00.000Z",
        due_at: "2026-11-22T09:00:00.000Z",
        overdue: false,
        resolved_at: null,
        resolved_by: null,
        test_case: null,
        items: [
          {
            question_id: "greeting",
            answer: { value: "no" },
            proposed: { value: "yes" },
            reason: "I said my name at 0:04.",
            moment: { start_ms: 4000, end_ms: 6000 },
            decision: null,
            decided: null,
            explanation: null,
          },
        ],
      },
    ],
  });
export type DisputeBody = z.output<typeof DisputeBody>;

/** 412: includes the current review. */
export const ReviewChangedProblem = Problem.extend({ review: ReviewDetailBody }).meta({ id: "ReviewChangedProblem" });

export const DisputePageBody = z
  .object({ disputes: z.array(DisputeBody), next })
  .meta({ id: "DisputePage", examples: [{ disputes: [exampleOf(DisputeBody)], next: null }] });
export type DisputePageBody = z.output<typeof DisputePageBody>;

export const ListDisputesQuery = z.object({
  state: z.enum(["open", "resolved"], "must be open or resolved").default("open"),
  mine: booleanParameter.optional().meta({ description: "true: only disputes that you decide." }),
  review_id: z.uuid("must be the id of a review").optional(),
  cursor,
  limit: integerUpTo(200, 50),
});

export const ChangeDisputeBody = z
  .strictObject({
    arbiter_id: z.uuid("must be the id of a user").optional().meta({ description: "Decides the open dispute." }),
    test_case: text(1, 300).nullable().optional().meta({
      description: "Keeps the decided dispute as a test case of its scorecard, with this name. null: no longer.",
    }),
  })
  .meta({ id: "ChangeDispute", examples: [{ arbiter_id: "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11" }] });

export const TestCasesBody = z
  .object({
    format: z.literal("hearback.scorecard-tests/1"),
    cases: z.array(
      z.object({
        name: z.string(),
        answers: z.record(z.string(), AnswerBody),
        expect: z.object({
          score: z.number().nullable().meta({ description: "As people read it: 87.35. null: not scored." }),
          outcome: Outcome,
        }),
      }),
    ),
  })
  .meta({
    id: "TestCases",
    examples: [
      {
        format: "hearback.scorecard-tests/1",
        cases: [
          { name: "Name only", answers: { greeting: { value: "yes" } }, expect: { score: 87.35, outcome: "passed" } },
        ],
      },
    ],
  });
export type TestCasesBody = z.output<typeof TestCasesBody>;

/** What waits for the caller. */
export const WaitingBody = z
  .object({
    drafts: z.int().meta({ description: "Your reviews that are not submitted." }),
    to_release: z.int().meta({ description: "Submitted reviews that wait for release. 0 if you may not release." }),
    disputes: z.int().meta({ description: "Open disputes that you decide." }),
    overdue_disputes: z
      .int()
      .meta({ description: "Open disputes that are overdue. 0 for everyone but administrators." }),
    to_acknowledge: z.int().meta({ description: "Your released reviews that you have not acknowledged." }),
  })
  .meta({
    id: "Waiting",
    description: "What waits for you. Numbers stop at 100.",
    examples: [{ drafts: 2, to_release: 0, disputes: 1, overdue_disputes: 0, to_acknowledge: 0 }],
  });
export type WaitingBody = z.output<typeof WaitingBody>;
