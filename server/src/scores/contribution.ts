import type { Result } from "@hearback/scoring/result";
import { happenedAt } from "../calls/search/call-filters.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { type Measures, measuresOf } from "./measures.ts";

/** A released review, with everything that the sums depend on. */
export interface CountedReview {
  readonly callId: string;
  readonly agentId: string;
  readonly teamId: string | null;
  readonly campaignId: string;
  readonly scorecardId: string;
  readonly version: number;
  readonly selection: string;
  /** Whole seconds since 1970. */
  readonly releasedAt: number;
  readonly acknowledgedAt: number | null;
  readonly disputes: number;
  readonly disputesChanged: number;
  /** Of the latest revision. */
  readonly result: Pick<Result, "score" | "outcome" | "failed_by" | "sections" | "questions">;
}

/** The key of a row in score_sum, without the workspace. */
export interface SumKey {
  readonly day: string;
  readonly scorecardId: string;
  readonly version: number;
  readonly teamId: string;
  readonly campaignId: string;
  readonly selection: string;
  readonly part: "review" | "section" | "question";
  readonly itemId: string;
}
/** The key of a row in agent_score_sum, without the workspace. */
export type AgentSumKey = { readonly agentId: string } & Omit<SumKey, "part" | "itemId">;

export type Sum<Key> = Key & { readonly sums: Measures };

export interface Contribution {
  readonly sums: readonly Sum<SumKey>[];
  readonly agentSums: readonly Sum<AgentSumKey>[];
}

/** Represents "no team" in a key. */
export const noTeam = lowestUuid;

/** The UTC day of the conversation. */
export const dayOfCall = (callId: string) => happenedAt(callId).toISOString().slice(0, 10);

const measure = (score: number | null) => ({
  scored: score === null ? 0 : 1,
  unscored: score === null ? 1 : 0,
  scoreTotal: score ?? 0,
  scoreSquares: (score ?? 0) ** 2,
});

const measureItem = (score: number | null, is: { all: boolean; none: boolean; failing: boolean }): Measures =>
  measuresOf({
    ...measure(score),
    passed: is.all ? 1 : 0,
    failed: is.none ? 1 : 0,
    failedCall: is.failing ? 1 : 0,
  });

/** The share of points in hundredths of a percent, rounded half up. */
const shareOf = (points: number | null, maximum: number): number | null =>
  points === null || maximum === 0 ? null : Math.floor((points * 20_000 + maximum) / (2 * maximum));

/** What a released review adds to the sums. Everything that is counted anywhere is computed here. */
export function contributionOf(review: CountedReview): Contribution {
  const { callId, agentId, teamId, campaignId, scorecardId, version, selection, result } = review;
  const key = { day: dayOfCall(callId), scorecardId, version, teamId: teamId ?? noTeam, campaignId, selection };
  const calledAt = Math.floor(happenedAt(callId).getTime() / 1000);
  const failsCall = result.failed_by.filter(({ scope }) => scope === "call");
  const whole = measuresOf({
    ...measure(result.score),
    passed: result.outcome === "passed" ? 1 : 0,
    failed: result.outcome === "failed" ? 1 : 0,
    failedCall: failsCall.length > 0 ? 1 : 0,
    disputes: review.disputes,
    disputesChanged: review.disputesChanged,
    // The time of a call can be ahead of the clock.
    releaseSeconds: Math.max(0, review.releasedAt - calledAt),
    acknowledged: review.acknowledgedAt === null ? 0 : 1,
    acknowledgementSeconds: review.acknowledgedAt === null ? 0 : review.acknowledgedAt - review.releasedAt,
  });
  const sections = result.sections.map(({ section, score, failed }) => ({
    ...{ ...key, part: "section" as const, itemId: section },
    sums: measureItem(score, { all: score === 10_000, none: score === 0, failing: failed }),
  }));
  const failing = new Set(failsCall.map(({ question }) => question));
  const questions = result.questions
    .filter(({ cause }) => cause !== "unscored")
    .map(({ question, points, maximum }) => ({
      ...{ ...key, part: "question" as const, itemId: question },
      sums: measureItem(shareOf(points, maximum), {
        all: points === maximum,
        none: points === 0,
        failing: failing.has(question),
      }),
    }));
  return {
    sums: [{ ...key, part: "review", itemId: "", sums: whole }, ...sections, ...questions],
    agentSums: [{ ...key, agentId, sums: whole }],
  };
}
