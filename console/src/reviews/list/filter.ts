import type { ListReviews } from "@hearback/sdk";
import { type SearchParams, uuid } from "../../search-params.ts";
import { fromFieldTime } from "../../ui/time/field-time.ts";
import { isDay } from "../../ui/time/is-day.ts";

export const states = ["draft", "submitted", "released", "voided"] as const;
export const outcomes = ["passed", "failed", "not_scored"] as const;
export const selections = ["drawn", "picked", "second", "calibration"] as const;
export const views = ["all", "release"] as const;

/** Filters from the URL. Days are in the reader's time zone, those of calls are UTC. */
export interface ReviewSearch {
  readonly view: (typeof views)[number];
  readonly state?: (typeof states)[number] | undefined;
  readonly outcome?: (typeof outcomes)[number] | undefined;
  readonly scorecard?: string | undefined;
  readonly agent?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly campaign?: string | undefined;
  readonly team?: string | undefined;
  readonly disputed?: "yes" | undefined;
  readonly selection?: (typeof selections)[number] | undefined;
  /** ID of a question that got no points. */
  readonly question?: string | undefined;
  readonly calledFrom?: string | undefined;
  readonly calledTo?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ReviewFilter extends Omit<ListReviews, "limit" | "cursor" | "signal"> {
  /** Drafts of this user have a list of their own. */
  readonly withoutDraftsOf?: string | undefined;
}

/** Parses the filters of the URL. Invalid values are dropped. */
export function readReviewSearch(params: SearchParams): ReviewSearch {
  const idOf = (value: unknown) => (typeof value === "string" && uuid.test(value) ? value : undefined);
  const dayOf = (value: unknown) => (isDay(value) ? value : undefined);
  const { campaign, question } = params;
  return {
    view: views.find((view) => view === params.view) ?? "all",
    state: states.find((state) => state === params.state),
    outcome: outcomes.find((outcome) => outcome === params.outcome),
    scorecard: idOf(params.scorecard),
    agent: idOf(params.agent),
    reviewer: idOf(params.reviewer),
    campaign: typeof campaign === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(campaign) ? campaign : undefined,
    team: idOf(params.team),
    disputed: params.disputed === "yes" ? "yes" : undefined,
    selection: selections.find((selection) => selection === params.selection),
    question: typeof question === "string" && /^.{1,60}$/.test(question) ? question : undefined,
    calledFrom: dayOf(params.calledFrom),
    calledTo: dayOf(params.calledTo),
    from: dayOf(params.from),
    to: dayOf(params.to),
  };
}

/** Names of the filters behind "More filters". */
export const furtherFilters = [
  ...(["reviewer", "campaign", "team", "selection", "question"] as const),
  ...(["calledFrom", "calledTo", "from", "to", "disputed"] as const),
];
const filters = ["state", "outcome", "scorecard", "agent", ...furtherFilters] as const;

/** Search parameters that remove all filters. */
export const noFilters: Readonly<Partial<Record<keyof ReviewSearch, undefined>>> = Object.fromEntries(
  filters.map((name) => [name, undefined]),
);

export const isFiltered = (search: ReviewSearch): boolean => filters.some((name) => search[name] !== undefined);

export function toReviewFilter(search: ReviewSearch, zone: string): ReviewFilter {
  const { state, outcome, scorecard, agent, reviewer, campaign, team, disputed, from, to } = search;
  const { selection, question, calledFrom, calledTo } = search;
  return {
    state,
    outcome,
    scorecardId: scorecard,
    agentId: agent,
    reviewerId: reviewer,
    campaignId: campaign,
    teamId: team,
    disputed: disputed && true,
    selection,
    failedQuestion: question,
    calledFrom,
    calledTo,
    from: from ? fromFieldTime(from, zone) : undefined,
    to: to ? fromFieldTime(to, zone, 1) : undefined,
  };
}
