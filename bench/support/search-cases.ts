import { agentEmail, campaignId, frequentCaller, searched } from "./search-data.ts";

/** A search whose first page is measured. */
export interface SearchCase {
  readonly name: string;
  /** One for each turn, so that not always the same pages of a table are read. */
  readonly query: (turn: number, end: Date) => string;
  /** Whether one index serves the whole of it. What none serves is measured too, and not held to the goal. */
  readonly indexed: boolean;
}

const day = 24 * 60 * 60_000;
const iso = (end: Date, daysBefore: number) => new Date(end.getTime() - daysBefore * day).toISOString();
const campaign = (turn: number) => `campaign=${campaignId(turn % 5)}`;
const agent = (turn: number) => `agent=${agentEmail(turn % 5)}`;
const phone = `metadata[${frequentCaller.key}]=${encodeURIComponent(frequentCaller.value)}`;
const site = `metadata[site]=${searched.site}`;
/** An index alone, and a pair of filters of which one index serves one. */
const one = (name: string, query: SearchCase["query"]): SearchCase => ({ name, query, indexed: true });
const pair = (name: string, query: SearchCase["query"], indexed = false): SearchCase => ({ name, query, indexed });

export const searchCases: readonly SearchCase[] = [
  one("nothing", () => ""),
  one("campaign", campaign),
  one("three campaigns", () => [0, 1, 2].map((n) => `campaign=${campaignId(n)}`).join("&")),
  one("agent", agent),
  one("time of conversation: a week", (turn, end) => `from=${iso(end, 207 + turn)}&to=${iso(end, 200 + turn)}`),
  one(
    "time of import: a day",
    (turn, end) => `imported_from=${iso(end, 301 + turn)}&imported_to=${iso(end, 300 + turn)}`,
  ),
  one("time of import: a week", (_, end) => `imported_from=${iso(end, 107)}&imported_to=${iso(end, 100)}`),
  one("status: failed", () => "status=failed"),
  one("status: ready", () => "status=ready"),
  one("duration: half an hour or more", () => "min_duration=1800"),
  one("duration: ten seconds or less", () => "max_duration=10"),
  one("duration: ten minutes or more", () => "min_duration=600"),
  one("metadata: 120 calls", () => phone),
  one("metadata: a tenth of all calls", () => site),
  one("metadata: no call", () => "metadata[client_phone]=none"),
  pair("campaign, a week", (turn, end) => `${campaign(turn)}&from=${iso(end, 207)}&to=${iso(end, 200)}`, true),
  pair("agent, a week", (turn, end) => `${agent(turn)}&from=${iso(end, 207)}&to=${iso(end, 200)}`, true),
  pair("metadata of 120 calls, campaign", (turn) => `${phone}&${campaign(turn)}`),
  pair("metadata of a tenth, a month", (_, end) => `${site}&from=${iso(end, 230)}&to=${iso(end, 200)}`, true),
  pair("campaign, agent", (turn) => `${campaign(turn)}&${agent(turn)}`),
  pair("campaign, failed", (turn) => `${campaign(turn)}&status=failed`),
  pair("metadata of a tenth, campaign", (turn) => `${site}&${campaign(turn)}`),
  pair("campaign, half an hour or more", (turn) => `${campaign(turn)}&min_duration=1800`),
];
