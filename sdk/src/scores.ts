import { type Items, paged } from "./pages.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  AgentScore,
  AgentScorePageBody,
  CoverageBody,
  OwnScoresBody,
  ReviewerScore,
  ReviewerScorePageBody,
  ScoresOverviewBody,
} from "./wire.ts";

export interface OwnScores extends RequestOptions {
  /** The first day (UTC) of the conversations, such as 2026-11-02. */
  readonly from: string;
  /** The last day. At most 53 weeks. */
  readonly to: string;
  readonly scorecardId?: string | undefined;
  /** How the calls were selected. Default: both. */
  readonly selection?: "drawn" | "picked" | "both" | undefined;
}

export interface ScoresOverview extends OwnScores {
  readonly campaignId?: string | undefined;
  readonly teamId?: string | undefined;
}

export type Coverage = Omit<OwnScores, "selection">;

export interface ListAgentScores extends ScoresOverview {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type ListReviewerScores = Omit<ListAgentScores, "selection">;

export function openScores(transport: Transport) {
  const agents = paged(
    ({ signal, ...query }: ListAgentScores) =>
      transport.json<AgentScorePageBody>({ method: "GET", path: "/scores/agents", query, signal }),
    (page) => ({ items: page.agents, next: page.next }),
  );
  const reviewers = paged(
    ({ signal, ...query }: ListReviewerScores) =>
      transport.json<ReviewerScorePageBody>({
        method: "GET",
        path: "/scores/reviewers",
        query,
        signal,
      }),
    (page) => ({ items: page.reviewers, next: page.next }),
  );
  return {
    /** Scores of all released reviews, by week, question and section. */
    overview: ({ signal, ...query }: ScoresOverview): Promise<ScoresOverviewBody> =>
      transport.json({ method: "GET", path: "/scores/overview", query, signal }),
    /** How many of the calls that plans drew are reviewed. */
    coverage: ({ signal, ...query }: Coverage): Promise<CoverageBody> =>
      transport.json({ method: "GET", path: "/scores/coverage", query, signal }),
    /** Scores of agents, in the order of their ids. */
    agents: (filter: ListAgentScores): Items<AgentScore> => agents.all(filter),
    agentsPage: (filter: ListAgentScores): Promise<AgentScorePageBody> => agents.page(filter),
    /** Severity, agreement and overturned disputes of reviewers, in the order of their ids. */
    reviewers: (filter: ListReviewerScores): Items<ReviewerScore> => reviewers.all(filter),
    reviewersPage: (filter: ListReviewerScores): Promise<ReviewerScorePageBody> => reviewers.page(filter),
    /** Your own scores. */
    mine: ({ signal, ...query }: OwnScores): Promise<OwnScoresBody> =>
      transport.json({ method: "GET", path: "/scores/mine", query, signal }),
  };
}
export type Scores = ReturnType<typeof openScores>;
