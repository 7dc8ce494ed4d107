import type { CallFilter, CallStatus } from "@hearback/sdk";
import type { SearchParams } from "../../search-params.ts";
import { type Period, readPeriod, toSpan, writePeriod } from "./period.ts";

export const statuses: readonly CallStatus[] = ["ready", "received", "failed"];
export const limits = { values: 50, metadata: 20 } as const;

export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** Filters from the URL, named as in `GET /calls`. */
export interface CallFilters {
  readonly period?: Period | undefined;
  readonly campaigns: readonly string[];
  /** By ID: an email address in a URL would end up in proxy logs. */
  readonly agents: readonly string[];
  readonly statuses: readonly CallStatus[];
  /** In seconds. */
  readonly minDuration?: number | undefined;
  readonly maxDuration?: number | undefined;
  readonly metadata: readonly MetadataEntry[];
  /** Last digits of a phone number. */
  readonly phone?: string | undefined;
  /** Words, or a phrase in double quotes. */
  readonly said?: string | undefined;
  readonly saidBy?: SaidSide | undefined;
  readonly review?: ReviewChoice | undefined;
  /** Ids of users. */
  readonly reviewers: readonly string[];
  /** In points. */
  readonly minScore?: number | undefined;
  readonly maxScore?: number | undefined;
}

export const saidSides = ["agent", "customer", "left", "right"] as const;
export type SaidSide = (typeof saidSides)[number];

/** Without a review, with any, or with one of this outcome. */
export const reviewChoices = ["none", "any", "passed", "failed", "not_scored"] as const;
export type ReviewChoice = (typeof reviewChoices)[number];

export const noFilters: CallFilters = { campaigns: [], agents: [], statuses: [], metadata: [], reviewers: [] };

/** Parses the filters of the URL. Invalid values are dropped, so a truncated link still works. */
export function readFilters(search: SearchParams): CallFilters {
  const all = (name: string) => [...new Set([search[name] ?? []].flat())].filter((value) => value !== "");
  const [one, seconds] = [(name: string) => all(name)[0], (name: string) => readSeconds(all(name)[0])];
  const metadata = Object.keys(search).flatMap((name) => {
    const key = /^metadata\[(.+)\]$/s.exec(name)?.[1];
    return key === undefined ? [] : all(name).map((value) => ({ key, value }));
  });
  return {
    period: readPeriod({ period: one("period"), zone: one("zone"), from: one("from"), to: one("to") }),
    campaigns: all("campaign").slice(0, limits.values),
    agents: all("agent").slice(0, limits.values),
    statuses: statuses.filter((status) => all("status").includes(status)),
    minDuration: seconds("min_duration"),
    maxDuration: seconds("max_duration"),
    metadata: metadata.slice(0, limits.metadata),
    phone: phoneDigits(one("phone") ?? ""),
    ...readSaid(one("said"), one("said_by")),
    review: reviewChoices.find((choice) => choice === one("review")),
    reviewers: all("reviewer").slice(0, limits.values),
    minScore: readScore(one("min_score")),
    maxScore: readScore(one("max_score")),
  };
}

export function writeFilters(filters: CallFilters): SearchParams {
  const { campaigns, agents, minDuration, maxDuration } = filters;
  const written = {
    ...writePeriod(filters.period),
    campaign: campaigns,
    agent: agents,
    status: filters.statuses,
    min_duration: minDuration?.toString(),
    max_duration: maxDuration?.toString(),
    phone: filters.phone,
    said: filters.said,
    said_by: filters.said && filters.saidBy,
    review: filters.review,
    reviewer: filters.reviewers,
    min_score: filters.minScore?.toString(),
    max_score: filters.maxScore?.toString(),
    ...Object.fromEntries(Object.entries(byKey(filters.metadata)).map(([key, values]) => [`metadata[${key}]`, values])),
  };
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined && value.length > 0));
}

/** Filter for the API. */
export function toCallFilter(filters: CallFilters, now = new Date()): CallFilter {
  const { campaigns, agents, minDuration, maxDuration, metadata, phone } = filters;
  return {
    ...(filters.period && toSpan(filters.period, now)),
    ...(campaigns.length > 0 && { campaign: campaigns }),
    ...(agents.length > 0 && { agent: agents }),
    ...(filters.statuses.length > 0 && { status: filters.statuses }),
    minDuration,
    maxDuration,
    ...(metadata.length > 0 && { metadata: byKey(metadata) }),
    ...(phone !== undefined && { phone }),
    ...(filters.said && { said: filters.said, ...(filters.saidBy && { saidBy: filters.saidBy }) }),
    ...toReviewFilter(filters),
  };
}

function toReviewFilter({ review, reviewers, minScore, maxScore }: CallFilters): Partial<CallFilter> {
  const reviewer = reviewers.length > 0 && { reviewer: reviewers };
  // Without a review, there is no score.
  if (review === "none") return { reviewed: false, ...reviewer };
  return {
    ...(review === "any" && { reviewed: true }),
    ...(review && review !== "any" && { reviewOutcome: review }),
    ...reviewer,
    ...(minScore !== undefined && { minScore }),
    ...(maxScore !== undefined && { maxScore }),
  };
}

/** The digits that `phone` searches for: without separators and leading zeros. Undefined: not a phone number, or too short. */
export function phoneDigits(text: string): string | undefined {
  const digits = text.replace(/[-\s()./+]/g, "").replace(/^0+/, "");
  return /^\d{4,15}$/.test(digits) ? digits : undefined;
}

/** As in the API: at most 200 characters, with a letter or a digit. */
export const mostSaid = 200;
export const isSaid = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

function readSaid(text = "", by: string | undefined): Pick<CallFilters, "said" | "saidBy"> {
  const said = text.trim().slice(0, mostSaid);
  return isSaid(said) ? { said, saidBy: saidSides.find((side) => side === by) } : {};
}

export const isFiltered = (filters: CallFilters): boolean => Object.keys(writeFilters(filters)).length > 0;

/** Adds the entry unless it exists or the limit is reached. */
export function withEntry(filters: CallFilters, { key, value }: MetadataEntry): CallFilters {
  const there = filters.metadata.some((entry) => entry.key === key && entry.value === value);
  return there || filters.metadata.length >= limits.metadata
    ? filters
    : { ...filters, metadata: [...filters.metadata, { key, value }] };
}

const byKey = (entries: readonly MetadataEntry[]) =>
  Object.fromEntries(
    [...Map.groupBy(entries, ({ key }) => key)].map(([key, group]) => [key, group.map(({ value }) => value)]),
  );

function readScore(text: string | undefined): number | undefined {
  return text && /^(\d{1,2}(\.\d{1,2})?|100)$/.test(text) ? Number(text) : undefined;
}

function readSeconds(text: string | undefined): number | undefined {
  return text && /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Number(text) : undefined;
}
