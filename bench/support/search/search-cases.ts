import { agentEmail, campaignId, frequentCaller, searched } from "./search-data.ts";

/** A search to measure (first page). */
export interface SearchCase {
  readonly name: string;
  /** Varies with each turn, so that different pages of the table are read. */
  readonly query: (turn: number, end: Date) => string;
  /** Whether one index covers the whole filter. Other searches are measured but not held to the target. */
  readonly indexed: boolean;
}

const day = 24 * 60 * 60_000;
const iso = (end: Date, daysBefore: number) => new Date(end.getTime() - daysBefore * day).toISOString();
const campaign = (turn: number) => `campaign=${campaignId(turn % 5)}`;
const agent = (turn: number) => `agent=${agentEmail(turn % 5)}`;
const phone = `metadata[${frequentCaller.key}]=${encodeURIComponent(frequentCaller.value)}`;
const site = `metadata[site]=${searched.site}`;
const single = (name: string, query: SearchCase["query"]): SearchCase => ({ name, query, indexed: true });
const pair = (name: string, query: SearchCase["query"], indexed = false): SearchCase => ({ name, query, indexed });

export const searchCases: readonly SearchCase[] = [
  single("nothing", () => ""),
  single("campaign", campaign),
  single("three campaigns", () => [0, 1, 2].map((n) => `campaign=${campaignId(n)}`).join("&")),
  single("agent", agent),
  single("time of conversation: a week", (turn, end) => `from=${iso(end, 207 + turn)}&to=${iso(end, 200 + turn)}`),
  single(
    "time of import: a day",
    (turn, end) => `imported_from=${iso(end, 301 + turn)}&imported_to=${iso(end, 300 + turn)}`,
  ),
  single("time of import: a week", (_, end) => `imported_from=${iso(end, 107)}&imported_to=${iso(end, 100)}`),
  single("status: failed", () => "status=failed"),
  single("status: ready", () => "status=ready"),
  single("duration: half an hour or more", () => "min_duration=1800"),
  single("duration: ten seconds or less", () => "max_duration=10"),
  single("duration: ten minutes or more", () => "min_duration=600"),
  single("metadata: 120 calls", () => phone),
  single("metadata: a tenth of all calls", () => site),
  single("phone number in national form: 120 calls", () => `phone=0${frequentCaller.value.slice(3)}`),
  pair("phone number: its last six digits", (turn) => `phone=${100_000 + turn}`),
  single("metadata: no call", () => "metadata[client_phone]=none"),
  pair("campaign, a week", (turn, end) => `${campaign(turn)}&from=${iso(end, 207)}&to=${iso(end, 200)}`, true),
  pair("agent, a week", (turn, end) => `${agent(turn)}&from=${iso(end, 207)}&to=${iso(end, 200)}`, true),
  pair("metadata of 120 calls, campaign", (turn) => `${phone}&${campaign(turn)}`),
  pair("metadata of a tenth, a month", (_, end) => `${site}&from=${iso(end, 230)}&to=${iso(end, 200)}`, true),
  pair("campaign, agent", (turn) => `${campaign(turn)}&${agent(turn)}`),
  pair("campaign, failed", (turn) => `${campaign(turn)}&status=failed`),
  pair("metadata of a tenth, campaign", (turn) => `${site}&${campaign(turn)}`),
  pair("campaign, half an hour or more", (turn) => `${campaign(turn)}&min_duration=1800`),
];
