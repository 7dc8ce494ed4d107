import type { ReviewSearch } from "../reviews/list/filter.ts";
import { type SearchParams, uuid } from "../search-params.ts";
import { isDay } from "../ui/time/is-day.ts";

export const periods = ["4", "12", "26", "52"] as const;
export const selections = ["drawn", "picked"] as const;
const defaultWeeks = "12";
const dayMs = 24 * 3600_000;
const maxDays = 53 * 7;

/** Filters from the URL. Days are UTC, like those of the sums. */
export interface ScoreSearch {
  /** undefined: from and to are dates. */
  readonly weeks: (typeof periods)[number] | undefined;
  readonly from: string;
  readonly to: string;
  readonly campaign?: string | undefined;
  readonly team?: string | undefined;
  readonly scorecard?: string | undefined;
  readonly selection?: (typeof selections)[number] | undefined;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Whole weeks that end with the current one. */
export function lastWeeks(weeks: number, now: number): { readonly from: string; readonly to: string } {
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7;
  return { from: dayOf(now - (sinceMonday + 7 * (weeks - 1)) * dayMs), to: dayOf(now) };
}

/** A period with another first or last day. The other end moves along where the period would be empty or too long. */
export function movePeriod(
  { from, to }: Pick<ScoreSearch, "from" | "to">,
  change: { readonly from: string } | { readonly to: string },
): Pick<ScoreSearch, "from" | "to"> {
  const longest = (maxDays - 1) * dayMs;
  if ("from" in change) {
    const latest = dayOf(Date.parse(change.from) + longest);
    return { from: change.from, to: to < change.from ? change.from : to > latest ? latest : to };
  }
  const earliest = dayOf(Date.parse(change.to) - longest);
  return { from: from > change.to ? change.to : from < earliest ? earliest : from, to: change.to };
}

/** Parses the filters of the URL. Invalid values are dropped. */
export function readScoreSearch(params: SearchParams, now = Date.now()): ScoreSearch {
  const idOf = (value: unknown) => (typeof value === "string" && uuid.test(value) ? value : undefined);
  const { campaign, from, to } = params;
  const isPeriod = isDay(from) && isDay(to) && from <= to && Date.parse(to) - Date.parse(from) < maxDays * dayMs;
  const weeks = isPeriod ? undefined : (periods.find((one) => one === params.weeks) ?? defaultWeeks);
  return {
    weeks,
    ...(isPeriod ? { from, to } : lastWeeks(Number(weeks), now)),
    campaign: typeof campaign === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(campaign) ? campaign : undefined,
    team: idOf(params.team),
    scorecard: idOf(params.scorecard),
    selection: selections.find((selection) => selection === params.selection),
  };
}

export const toScoreFilter = ({ from, to, campaign, team, scorecard, selection }: ScoreSearch) => ({
  ...{ from, to, selection },
  ...{ campaignId: campaign, teamId: team, scorecardId: scorecard },
});
export type ScoreFilter = ReturnType<typeof toScoreFilter>;

/** Search parameters of the list of reviews behind a number. */
export function reviewsBehind(search: ScoreSearch, narrower: Partial<ReviewSearch> = {}): SearchParams {
  const { from, to, campaign, team, scorecard, selection } = search;
  const all = { campaign, team, scorecard, selection, state: "released", calledFrom: from, calledTo: to, ...narrower };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The days of a week that are in the period. */
export const daysOfWeek = ({ from, to }: ScoreSearch, week: string) => {
  const last = dayOf(Date.parse(week) + 6 * dayMs);
  return { calledFrom: week < from ? from : week, calledTo: last > to ? to : last };
};

/** The scorecards of questions or sections. */
export const scorecardsOf = (items: readonly { readonly scorecard_id: string }[]): string[] => [
  ...new Set(items.map(({ scorecard_id }) => scorecard_id)),
];
