import { z } from "zod";
import { CampaignId } from "./campaigns.ts";
import { cursor, exampleOf, integerUpTo, next } from "./page.ts";

const maxDays = 53 * 7;
const days = ({ from, to }: { readonly from: string; readonly to: string }) =>
  (Date.parse(to) - Date.parse(from)) / (24 * 3600_000) + 1;
const isPeriod = (query: { readonly from: string; readonly to: string }) => days(query) >= 1 && days(query) <= maxDays;
const noPeriod = { path: ["to"], error: "must not be before from, nor more than 53 weeks after it" };

const date = z.iso.date("must be a date such as 2026-11-15").meta({ example: "2026-11-15" });
const period = {
  from: date.meta({ description: "The first day (UTC) of the conversations." }),
  to: date.meta({ description: "The last day. At most 53 weeks." }),
  scorecard_id: z.uuid("must be the id of a scorecard").optional(),
};
const filter = {
  ...period,
  selection: z
    .enum(["drawn", "picked", "both"], "must be drawn, picked or both")
    .default("both")
    .meta({ description: "How the calls were selected. Calibrations and second reviews never count." }),
};
const groups = {
  campaign_id: CampaignId.optional(),
  team_id: z
    .uuid("must be the id of a team")
    .optional()
    .meta({ description: "The team of the agent when the review was submitted." }),
};

export const ScoresOverviewQuery = z.object({ ...filter, ...groups }).refine(isPeriod, noPeriod);
export type ScoresOverviewQuery = z.output<typeof ScoresOverviewQuery>;
export const OwnScoresQuery = z.object(filter).refine(isPeriod, noPeriod);
export type OwnScoresQuery = z.output<typeof OwnScoresQuery>;
export const AgentScoresQuery = z
  .object({ ...filter, ...groups, cursor, limit: integerUpTo(200, 50) })
  .refine(isPeriod, noPeriod);
export type AgentScoresQuery = z.output<typeof AgentScoresQuery>;
export const ReviewerScoresQuery = z
  .object({ ...period, ...groups, cursor, limit: integerUpTo(200, 50) })
  .refine(isPeriod, noPeriod);
export type ReviewerScoresQuery = z.output<typeof ReviewerScoresQuery>;

const hundredths = z.int().nullable();
export const ScoreEstimate = z.object({ n: z.int(), value: hundredths, low: hundredths, high: hundredths }).meta({
  id: "ScoreEstimate",
  description:
    "A mean score or a rate with its 95 % interval, in hundredths: 87.35 points or percent are 8735. n: how many it is from. null: too few. See docs/statistics.md.",
  examples: [{ n: 42, value: 8735, low: 8402, high: 9068 }],
});
export type ScoreEstimate = z.output<typeof ScoreEstimate>;

const ScoreWeek = z
  .object({
    week: z.iso.date().meta({ description: "The Monday of the week." }),
    reviews: z.int(),
    score: ScoreEstimate,
    passed: ScoreEstimate,
  })
  .meta({ id: "ScoreWeek" });
export type ScoreWeek = z.output<typeof ScoreWeek>;

const ScoreItem = z
  .object({
    scorecard_id: z.uuid(),
    id: z.string().meta({ description: "Of the question or section." }),
    title: z.string().nullable().meta({ description: "In the latest version that was used in the period." }),
    not_applicable: z.int(),
    score: ScoreEstimate.meta({ description: "Mean share of points." }),
    failed: ScoreEstimate.meta({ description: "Rate of answers without any points." }),
  })
  .meta({ id: "ScoreItem" });
export type ScoreItem = z.output<typeof ScoreItem>;

const VersionChange = z
  .object({
    scorecard_id: z.uuid(),
    version: z.int(),
    first_day: z.iso.date().meta({ description: "The first day in the period with a review on this version." }),
  })
  .meta({ id: "ScorecardVersionChange" });

/** Lists of questions and sections are cut after so many. */
export const maxScoreItems = 1000;

const Scores = z.object({
  reviews: z.int().meta({ description: "Released reviews." }),
  score: ScoreEstimate,
  passed: ScoreEstimate.meta({ description: "Rate of reviews that passed." }),
  weeks: z.array(ScoreWeek).meta({ description: "Weeks with reviews, oldest first." }),
  questions: z.array(ScoreItem).meta({ description: `Highest fail rate first; at most ${maxScoreItems}.` }),
  versions: z
    .array(VersionChange)
    .meta({ description: "Versions that replaced an earlier one in the period. Scores before and after may differ." }),
});

const example = {
  reviews: 42,
  score: exampleOf(ScoreEstimate),
  passed: { n: 42, value: 7619, low: 6147, high: 8652 },
  weeks: [
    {
      week: "2026-11-09",
      reviews: 42,
      score: exampleOf(ScoreEstimate),
      passed: { n: 42, value: 7619, low: 6147, high: 8652 },
    },
  ],
  questions: [
    {
      scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f",
      id: "greeting",
      title: "Greets with company and own name",
      not_applicable: 2,
      score: { n: 40, value: 8250, low: 7020, high: 9480 },
      failed: { n: 40, value: 1750, low: 875, high: 3195 },
    },
  ],
  versions: [{ scorecard_id: "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f", version: 3, first_day: "2026-11-11" }],
};

export const OwnScoresBody = Scores.extend({
  min_reviews: z.int().meta({ description: "The setting of the workspace." }),
  reviews_needed: z.int().meta({ description: "Reviews until the score says something. 0: enough." }),
}).meta({ id: "OwnScores", examples: [{ ...example, min_reviews: 8, reviews_needed: 0 }] });
export type OwnScoresBody = z.output<typeof OwnScoresBody>;

const MeanHours = z.object({ n: z.int(), mean: z.number().nullable() });
export const ScoresOverviewBody = Scores.extend({
  sections: z.array(ScoreItem).meta({ description: `At most ${maxScoreItems}.` }),
  outcomes: z.object({ passed: z.int(), failed: z.int(), not_scored: z.int(), failed_call: z.int() }).meta({
    description: "Reviews by outcome. failed_call: those with an answer that fails the call.",
  }),
  disputes: z.object({ opened: z.int(), changed: z.int() }),
  hours: z
    .object({ to_release: MeanHours, to_acknowledgement: MeanHours })
    .meta({ description: "Mean hours from the call to the release, and from the release to the acknowledgement." }),
}).meta({
  id: "ScoresOverview",
  examples: [
    {
      ...example,
      sections: [],
      outcomes: { passed: 32, failed: 9, not_scored: 1, failed_call: 3 },
      disputes: { opened: 4, changed: 1 },
      hours: { to_release: { n: 42, mean: 31.5 }, to_acknowledgement: { n: 36, mean: 20.25 } },
    },
  ],
});
export type ScoresOverviewBody = z.output<typeof ScoresOverviewBody>;

export const CoverageQuery = z
  .object({ from: date, to: date, scorecard_id: filter.scorecard_id })
  .refine(isPeriod, noPeriod);
export type CoverageQuery = z.output<typeof CoverageQuery>;
export const CoverageBody = z
  .object({ drawn: z.int(), done: z.int(), overdue: z.int() })
  .meta({ id: "Coverage", examples: [{ drawn: 40, done: 36, overdue: 2 }] });
export type CoverageBody = z.output<typeof CoverageBody>;

const AgentScore = z
  .object({
    agent_id: z.uuid(),
    name: z.string().nullable().meta({ description: "null: the user does not exist any more." }),
    team_id: z.uuid().nullable().meta({ description: "The team of the latest review in the period." }),
    reviews: z.int(),
    score: ScoreEstimate,
    passed: ScoreEstimate,
    shrunk: ScoreEstimate.meta({
      description:
        "The mean score shrunk to that of the team (empirical Bayes): compare agents by this one. Of teams of more than 60 agents, the mean and the variances are estimated from 60.",
    }),
    reviews_needed: z.int().meta({ description: "Reviews until the score says something. 0: enough." }),
  })
  .meta({ id: "AgentScore" });
export type AgentScore = z.output<typeof AgentScore>;

export const AgentScorePageBody = z
  .object({
    min_reviews: z.int().meta({ description: "The setting of the workspace." }),
    agents: z.array(AgentScore).meta({ description: "In the order of their ids." }),
    next,
  })
  .meta({
    id: "AgentScorePage",
    examples: [
      {
        min_reviews: 8,
        agents: [
          {
            agent_id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
            name: "Ann Lee",
            team_id: null,
            reviews: 5,
            score: { n: 5, value: 8120, low: 6204, high: 10_000 },
            passed: { n: 5, value: 8000, low: 3755, high: 9638 },
            shrunk: { n: 5, value: 8391, low: 7744, high: 9038 },
            reviews_needed: 3,
          },
        ],
        next: null,
      },
    ],
  });
export type AgentScorePageBody = z.output<typeof AgentScorePageBody>;

const ReviewerSeverity = z.object({ n: z.int(), value: hundredths, low: hundredths, high: hundredths }).meta({
  id: "ReviewerSeverity",
  description:
    "Mean difference from the score that is expected for the agent and the week, in hundredths. Negative is stricter. n: drawn reviews.",
  examples: [{ n: 36, value: -310, low: -555, high: -65 }],
});
export type ReviewerSeverity = z.output<typeof ReviewerSeverity>;

const ReviewerScore = z
  .object({
    reviewer_id: z.uuid(),
    name: z.string().nullable().meta({ description: "null: the user does not exist any more." }),
    reviews: z.int(),
    median_active_seconds: z.int().nullable(),
    severity: ReviewerSeverity,
    agreement: ScoreEstimate.meta({ description: "Rate of equal answers in n pairs of a first and a second review." }),
    overturned: z
      .object({ disputed: z.int(), changed: z.int(), changed_rate: ScoreEstimate })
      .meta({ description: "Disputes of the reviews. changed_rate: of those that are decided." }),
  })
  .meta({ id: "ReviewerScore" });
export type ReviewerScore = z.output<typeof ReviewerScore>;

export const ReviewerScorePageBody = z
  .object({
    min_reviews: z.int(),
    calls_after: z.iso.datetime().nullable().meta({
      description: "Severity, times and disputes count the latest 100,000 reviews, after this time. null: all.",
    }),
    agreement_complete: z.boolean().meta({ description: "false: agreement is from the latest calls only." }),
    reviewers: z.array(ReviewerScore).meta({ description: "In the order of their ids." }),
    next,
  })
  .meta({
    id: "ReviewerScorePage",
    examples: [
      {
        min_reviews: 8,
        calls_after: null,
        agreement_complete: true,
        reviewers: [
          {
            reviewer_id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
            name: "Ida Berg",
            reviews: 42,
            median_active_seconds: 431,
            severity: exampleOf(ReviewerSeverity),
            agreement: { n: 12, value: 9083, low: 8433, high: 9733 },
            overturned: { disputed: 3, changed: 1, changed_rate: { n: 2, value: 5000, low: 945, high: 9055 } },
          },
        ],
        next: null,
      },
    ],
  });
export type ReviewerScorePageBody = z.output<typeof ReviewerScorePageBody>;
