import { metadataIndexValue } from "../call/metadata-index-value.ts";
import type { ReviewScope } from "../call/review-scope.ts";
import type { PhoneRange } from "./find-phone-numbers.ts";
import type { IdRange } from "./id-range.ts";
import type { SaidFilter } from "./said-filter.ts";

/** Calls with or without a submitted review that matches. */
export interface ReviewFilter extends ReviewScope {
  readonly reviewed: boolean;
  readonly outcomes: readonly string[] | null;
  readonly reviewerIds: readonly string[] | null;
  /** In hundredths. */
  readonly minScore: number | null;
  readonly maxScore: number | null;
}

/** Search filters. Null or absent matches everything. A list matches any of its values; an empty list matches nothing. */
export interface CallFilters {
  readonly campaignIds: readonly string[] | null;
  /** The caller may see only these campaigns or this agent. The scan stays inside them, because `next` reveals where it ended. */
  readonly confined?: "campaigns" | "agent" | undefined;
  readonly agentIds: readonly string[] | null;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly importedFrom?: Date | undefined;
  readonly importedTo?: Date | undefined;
  readonly statuses: readonly string[] | null;
  readonly minDurationMs: number | null;
  readonly maxDurationMs: number | null;
  /** Values by key. A call must match every key with one of its values. */
  readonly metadata: ReadonlyMap<string, readonly string[]>;
  /** A call must have an entry that is a phone number of this range. */
  readonly phone: PhoneRange | null;
  /** The numbers of the range, for an index scan. Undefined: there are too many, or the caller sees only a part of the calls. */
  readonly phoneNumbers?: readonly string[] | undefined;
  readonly review: ReviewFilter | null;
  readonly said: SaidFilter | null;
}

const day = 24 * 60 * 60_000;
const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The smallest id that a call at that time can have. The first 48 bits of an id are the time. */
export function firstCallId(at: Date | number): string {
  const hex = Math.max(0, Number(at)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Extracts the conversation time from a call id. */
export const happenedAt = (id: string) => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** Upper bound for ids of calls imported before a time: conversation times may lie up to a day ahead, plus a day for clock skew. */
const importedBelow = (at: Date) => firstCallId(at.getTime() + 2 * day);

/** Derives the id range from conversation time, import time and cursor. Lowercase UUID text sorts like the uuid type. */
export function idRange(
  { from, to, importedTo }: Pick<CallFilters, "from" | "to" | "importedTo">,
  after?: string,
): IdRange {
  const ends = [after, to && firstCallId(to), importedTo && importedBelow(importedTo)];
  const [below = lastUuid] = ends.filter((end) => end !== undefined).sort();
  return { floor: firstCallId(from ?? 0), below };
}

export interface ImportDay {
  /** For example 2026-11-15. */
  readonly day: string;
  /** Exclusive upper bound for ids of calls imported that day. */
  readonly below: string;
}

const maxDays = 31;

/** The import days that the filter covers, or undefined if there are too many to scan each. */
export function importDays({ importedFrom, importedTo }: CallFilters, now = new Date()): ImportDay[] | undefined {
  if (!importedFrom) return undefined;
  const first = Math.floor(importedFrom.getTime() / day);
  // Import times come from the database's clock, which may be ahead of this process.
  const end = Math.min(importedTo?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime() + day);
  const count = Math.ceil(end / day) - first;
  if (count > maxDays) return undefined;
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const start = new Date((first + index) * day);
    return { day: start.toISOString().slice(0, 10), below: importedBelow(new Date(start.getTime() + day)) };
  });
}

/** Groups metadata entries by key, with values in their indexed form. */
export function byKey(entries: readonly { key: string; value: string }[]): Map<string, string[]> {
  const keys = Map.groupBy(entries, ({ key }) => key);
  return new Map([...keys].map(([key, of]) => [key, [...new Set(of.map(({ value }) => metadataIndexValue(value)))]]));
}
