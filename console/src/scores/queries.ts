import type { AgentScore, ReviewerScore } from "@hearback/sdk";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { client } from "../client.ts";
import { reviewQueries } from "../reviews/queries.ts";
import type { ScoreFilter } from "./filter.ts";

const all = ["scores"];
const aMinute = 60_000;
/** More agents do not fit on a page. */
export const maxAgents = 1_000;

export interface AgentScores {
  readonly minReviews: number;
  readonly agents: readonly AgentScore[];
  /** Whether there are more than `maxAgents`. */
  readonly isCut: boolean;
}

/** Every page of reviewers reads all drawn reviews of the period. */
export const maxReviewers = 400;

export interface ReviewerScores {
  readonly minReviews: number;
  readonly reviewers: readonly ReviewerScore[];
  /** Whether there are more than `maxReviewers`. */
  readonly isCut: boolean;
  /** False: agreement is from the latest calls only. */
  readonly hasAllPairs: boolean;
  /** The numbers are of calls after this time. null: of the whole period. */
  readonly callsAfter: string | null;
}

/** Queries for scores. Components never build query keys themselves. */
export const scoreQueries = {
  overview: (filter: ScoreFilter) =>
    queryOptions({
      queryKey: [...all, "overview", filter],
      queryFn: ({ signal }) => client.scores.overview({ ...filter, signal }),
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
  /** The filters of scores that drawn calls have. */
  coverage: ({ from, to, scorecardId }: ScoreFilter) =>
    queryOptions({
      queryKey: [...all, "coverage", from, to, scorecardId],
      queryFn: ({ signal }) => client.scores.coverage({ from, to, scorecardId, signal }),
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
  agents: (filter: ScoreFilter) =>
    queryOptions({
      queryKey: [...all, "agents", filter],
      async queryFn({ signal }): Promise<AgentScores> {
        const agents: AgentScore[] = [];
        let cursor: string | undefined;
        for (;;) {
          const page = await client.scores.agentsPage({ ...filter, limit: 200, cursor, signal });
          agents.push(...page.agents);
          cursor = page.next ?? undefined;
          if (cursor === undefined || agents.length >= maxAgents) {
            return { minReviews: page.min_reviews, agents, isCut: cursor !== undefined };
          }
        }
      },
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
  reviewers: ({ selection: _, ...filter }: ScoreFilter) =>
    queryOptions({
      queryKey: [...all, "reviewers", filter],
      async queryFn({ signal }): Promise<ReviewerScores> {
        const reviewers: ReviewerScore[] = [];
        let hasAllPairs = true;
        let cursor: string | undefined;
        for (;;) {
          const page = await client.scores.reviewersPage({ ...filter, limit: 200, cursor, signal });
          reviewers.push(...page.reviewers);
          hasAllPairs &&= page.agreement_complete;
          cursor = page.next ?? undefined;
          if (cursor === undefined || reviewers.length >= maxReviewers) {
            return {
              ...{ minReviews: page.min_reviews, callsAfter: page.calls_after },
              ...{ reviewers, isCut: cursor !== undefined, hasAllPairs },
            };
          }
        }
      },
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
  mine: (filter: Pick<ScoreFilter, "from" | "to" | "selection">) =>
    queryOptions({
      queryKey: [...all, "mine", filter],
      queryFn: ({ signal }) => client.scores.mine({ ...filter, signal }),
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
};

/** Names of scorecards by ID. */
export function useScorecardNames(): (id: string) => string {
  const { data: scorecards = [] } = useQuery(reviewQueries.scorecards);
  const names = new Map(scorecards.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? "…";
}
