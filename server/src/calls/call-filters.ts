import { searchValue } from "./search-value.ts";

/** Which calls are looked for. Null or absent: any. Lists mean any of their values; an empty one matches nothing. */
export interface CallFilters {
  readonly campaignIds: readonly string[] | null;
  /** Whoever asks may know of these campaigns, or of this agent, alone: nothing else is walked, for a page tells where its walk ended. */
  readonly confined?: "campaigns" | "agent" | undefined;
  readonly agentIds: readonly string[] | null;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly importedFrom?: Date | undefined;
  readonly importedTo?: Date | undefined;
  readonly statuses: readonly string[] | null;
  readonly minDurationMs: number | null;
  readonly maxDurationMs: number | null;
  /** By key: any of the values. All of the keys. */
  readonly metadata: ReadonlyMap<string, readonly string[]>;
}

/** Between which ids they are: from `floor`, below `below`. */
export interface IdRange {
  readonly floor: string;
  readonly below: string;
}

const day = 24 * 60 * 60_000;
const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The smallest id of a call that happened at that time or later: the first 48 bits are the time. */
export function firstCallId(at: Date | number): string {
  const hex = Math.max(0, Number(at)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When the call of that id happened. */
export const happenedAt = (id: string) => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** Below which ids lies all that was imported before a time: at most a day ahead, and no two clocks agree. */
const importedBelow = (at: Date) => firstCallId(at.getTime() + 2 * day);

/** What time of conversation, time of import and position say about the ids. Text in lower case sorts as uuids do. */
export function idRange({ from, to, importedTo }: CallFilters, after?: string): IdRange {
  const ends = [after, to && firstCallId(to), importedTo && importedBelow(importedTo)];
  const [below = lastUuid] = ends.filter((end) => end !== undefined).sort();
  return { floor: firstCallId(from ?? 0), below };
}

export interface ImportDay {
  /** As 2026-11-15. */
  readonly day: string;
  /** Nothing imported that day has this id or a higher one. */
  readonly below: string;
}

const mostDays = 31;

/** The days of import that are asked for, or undefined where they are too many to go through one by one. */
export function importDays({ importedFrom, importedTo }: CallFilters, now = new Date()): ImportDay[] | undefined {
  if (!importedFrom) return undefined;
  const first = Math.floor(importedFrom.getTime() / day);
  // The database's clock says when something was imported, and may be ahead of ours.
  const end = Math.min(importedTo?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime() + day);
  const count = Math.ceil(end / day) - first;
  if (count > mostDays) return undefined;
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const start = new Date((first + index) * day);
    return { day: start.toISOString().slice(0, 10), below: importedBelow(new Date(start.getTime() + day)) };
  });
}

/** Entries by their key, the values as they are searched. */
export function byKey(entries: readonly { key: string; value: string }[]): Map<string, string[]> {
  const keys = Map.groupBy(entries, ({ key }) => key);
  return new Map([...keys].map(([key, of]) => [key, [...new Set(of.map(({ value }) => searchValue(value)))]]));
}
