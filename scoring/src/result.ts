import { z } from "zod";

/** A score or weight in hundredths: 87.35 is 8735. Scores have the range 0 to 10000. */
const Hundredths = z.int().min(0).max(10_000);

const Score = Hundredths.nullable().meta({ description: "In hundredths: 87.35 is 8735. null: nothing was scored." });

const Count = z.int().min(0);

export const outcomes = ["passed", "failed", "not_scored"] as const;

export const causes = ["hidden", "marked", "unscored", "unanswered"] as const;

const AppliedWeight = Hundredths.meta({
  description: "The share of the total in hundredths of a point. Adds up to 10000 over all applicable questions.",
});

export const QuestionResult = z.object({
  question: z.string(),
  section: z.string(),
  points: Count.nullable().meta({ description: "null: not applicable, see `cause`." }),
  maximum: Count,
  weight: Count.meta({ description: "The weight in the scorecard; 0 for questions that are not scored." }),
  applied_weight: AppliedWeight,
  lost: Hundredths.meta({
    description:
      "What this answer cost, in hundredths of a point of the total, before failing. Adds up to 10000 minus score_before_fail. " +
      "Rounded on its own, so it can be 1 more than applied_weight.",
  }),
  cause: z.enum(causes).nullable().meta({ description: "Why the question does not count. null: it counts." }),
});
export type QuestionResult = z.output<typeof QuestionResult>;

export const SectionResult = z.object({
  section: z.string(),
  score: Score,
  score_before_fail: Score,
  failed: z.boolean().meta({ description: "true: an answer made this section count 0." }),
  points: Count.meta({ description: "The sum over applicable questions, not weighted." }),
  maximum: Count.meta({ description: "The sum over applicable questions, not weighted." }),
  weight: Count,
  applied_weight: AppliedWeight,
});
export type SectionResult = z.output<typeof SectionResult>;

export const TagResult = z.object({
  tag: z.string(),
  score: Score.meta({ description: "Over the applicable questions with this tag, by applied weight, before failing." }),
  applied_weight: AppliedWeight,
});
export type TagResult = z.output<typeof TagResult>;

export const FailedBy = z.object({
  question: z.string(),
  section: z.string(),
  option: z.string().meta({ description: "The option id, or yes or no." }),
  scope: z.enum(["call", "section"]),
});
export type FailedBy = z.output<typeof FailedBy>;

/** The result of the formula, with every value needed to check it by hand. */
export const Result = z.object({
  formula: z.literal("hearback/1"),
  score: Score,
  score_before_fail: Score,
  lost_by_fail: Hundredths.meta({
    description: "What failing cost. With the `lost` of all questions, it adds up to 10000 minus score.",
  }),
  outcome: z.enum(outcomes),
  failed_by: z.array(FailedBy).meta({ description: "Answers that fail the call or their section." }),
  sections: z.array(SectionResult),
  questions: z.array(QuestionResult),
  tags: z.array(TagResult),
});
export type Result = z.output<typeof Result>;

/** The version that a result was calculated with. */
export const ScorecardVersion = z.object({
  id: z.string(),
  version: z.int().min(1),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: "SHA-256 of the document's canonical JSON (RFC 8785), in hex." }),
});
export type ScorecardVersion = z.output<typeof ScorecardVersion>;

/** The result of a review, as it is stored and sent. With the answers, it can be calculated again. */
export const VersionedResult = Result.extend({ scorecard: ScorecardVersion });
export type VersionedResult = z.output<typeof VersionedResult>;
