import {
  AgentScorePageBody,
  AgentScoresQuery,
  CoverageBody,
  CoverageQuery,
  OwnScoresBody,
  OwnScoresQuery,
  ScoresOverviewBody,
  ScoresOverviewQuery,
} from "@hearback/contract";
import type { App } from "../platform/app.ts";
import { requireSession, supervisors } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { route } from "../platform/http/route.ts";
import type { Api } from "../platform/http/server.ts";
import { findCoverage } from "./find-coverage.ts";
import { findOverview, overviewSettings } from "./find-overview.ts";
import { findOwnScores } from "./find-own-scores.ts";
import { listAgents } from "./list-agents.ts";
import { scoreFilterOf } from "./score-filter.ts";

const tag = "Scores";
const readable = { tag, access: ["read", "review"], roles: supervisors, campaignKeys: true } as const;

export function scoreRoutes(api: Api, app: App): void {
  route(api, {
    ...readable,
    method: "GET",
    path: "/scores/overview",
    id: "getScoresOverview",
    summary: "Get an overview of scores",
    description:
      "Returns the scores of released reviews: by week, question and section, with intervals, outcomes, disputes and times.",
    query: ScoresOverviewQuery,
    answers: { 200: [ScoresOverviewBody, "The scores."] },
  }).handle(({ caller, query }) =>
    inWorkspace(app, caller.workspaceId, (tx) => findOverview(tx, scoreFilterOf(caller, query)), overviewSettings),
  );

  route(api, {
    ...readable,
    campaignKeys: false,
    method: "GET",
    path: "/scores/coverage",
    id: "getCoverage",
    summary: "Get the coverage of plans",
    description:
      "Returns how many of the calls that plans drew in the period are reviewed, and how many are overdue. Skipped calls and second reviews do not count.",
    query: CoverageQuery,
    answers: { 200: [CoverageBody, "The coverage."] },
  }).handle(({ caller, query }) =>
    inWorkspace(app, caller.workspaceId, (tx) => findCoverage(tx, caller.workspaceId, query)),
  );

  route(api, {
    ...readable,
    method: "GET",
    path: "/scores/agents",
    id: "listAgentScores",
    summary: "List scores of agents",
    description:
      "Lists agents with released reviews in the period, in the order of their ids. No ranking: differences are mostly chance. A page can be shorter than `limit`.",
    query: AgentScoresQuery,
    answers: { 200: [AgentScorePageBody, "A page of agents."] },
  }).handle(({ caller, query }) =>
    inWorkspace(app, caller.workspaceId, (tx) => listAgents(tx, scoreFilterOf(caller, query), query)),
  );

  route(api, {
    tag,
    access: "session",
    roles: ["agent"],
    method: "GET",
    path: "/scores/mine",
    id: "getOwnScores",
    summary: "Get your scores",
    description: "Returns the scores of your own released reviews, by week and question.",
    query: OwnScoresQuery,
    answers: { 200: [OwnScoresBody, "Your scores."] },
  }).handle(({ caller, query }) => {
    const { userId } = requireSession(caller);
    return inWorkspace(app, caller.workspaceId, (tx) => findOwnScores(tx, scoreFilterOf(caller, query), userId));
  });
}
