import type { CallItem, CallPageBody } from "@hearback/sdk";

export const pageSize = 100;
/** Pages kept in memory beside the first one. */
const maxCachedPages = 12;
/** Browsers limit the height of an element. */
export const maxRows = 200_000;

interface Start {
  /** Cursor of the page: `next` of the previous one. */
  readonly after: string | undefined;
  readonly row: number;
}

/** Search result read page by page. `starts` covers all pages; calls are kept only for pages near the viewport. */
export interface CallList {
  readonly starts: readonly Start[];
  readonly rows: number;
  /** Cursor of the next page. null: the end. */
  readonly next: string | null;
  /** Set when a sparse search stopped early: everything up to this time was searched. */
  readonly searchedTo: string | undefined;
  /** Consecutive responses that were not full. */
  readonly shortAnswers: number;
  readonly held: ReadonlyMap<number, readonly CallItem[]>;
}

const emptyList: CallList = {
  starts: [],
  rows: 0,
  next: null,
  searchedTo: undefined,
  shortAnswers: 0,
  held: new Map(),
};

export const startList = (first: CallPageBody): CallList => withPage(emptyList, 0, first);

/** Adds a page: the next one, or an evicted one that is loaded again. Evicts pages far from it. */
export function withPage(list: CallList, page: number, body: CallPageBody): CallList {
  const { calls, next } = body;
  const after = afterOf(list, page);
  const known = list.starts[page];
  const same = known && lengthOf(list, page) === calls.length && afterOf(list, page + 1) === (next ?? undefined);
  const held = new Map([...list.held].filter(([other]) => isNear(other, page)));
  if (same) return { ...list, held: held.set(page, calls) };
  // Calls were added or removed in between, so later page starts are invalid.
  const before = known ? list.starts.slice(0, page) : list.starts;
  for (const other of held.keys()) if (other >= page) held.delete(other);
  const row = known?.row ?? list.rows;
  const read = { next, searchedTo: body.searched_to, shortAnswers: body.searched_to ? list.shortAnswers + 1 : 0 };
  // Empty page with more to come: the page starts later.
  if (calls.length === 0) return { ...read, starts: before, rows: row, held };
  return { ...read, starts: [...before, { after, row }], rows: row + calls.length, held: held.set(page, calls) };
}

const isNear = (page: number, to: number) => page === 0 || Math.abs(page - to) <= maxCachedPages / 2;

/** Cursor of a page. */
export const afterOf = (list: CallList, page: number): string | undefined =>
  page < list.starts.length ? list.starts[page]?.after : (list.next ?? undefined);

const lengthOf = ({ starts, rows }: CallList, page: number) =>
  (starts[page + 1]?.row ?? rows) - (starts[page]?.row ?? rows);

/** Page that contains a row (binary search). */
export function pageOf({ starts }: CallList, row: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.row ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Call of a row, if loaded. */
export function callAt(list: CallList, row: number): CallItem | undefined {
  const page = pageOf(list, row);
  return list.held.get(page)?.[row - (list.starts[page]?.row ?? 0)];
}

/** Row of a call, if loaded. */
export function rowOf({ held, starts }: CallList, id: string): number | undefined {
  for (const [page, calls] of held) {
    const index = calls.findIndex((call) => call.id === id);
    if (index >= 0) return (starts[page]?.row ?? 0) + index;
  }
  return undefined;
}

/** Evicted pages that these rows need, nearest first. */
export function missingPages(list: CallList, { first, last }: { readonly first: number; readonly last: number }) {
  if (list.rows === 0) return [];
  const [from, to] = [pageOf(list, Math.max(0, first)), pageOf(list, Math.min(list.rows - 1, last))];
  const wanted = [from, to, from - 1, to + 1];
  return [...new Set(wanted)].filter((page) => page >= 0 && page < list.starts.length && !list.held.has(page));
}

/** Updates loaded calls in place. Adds, removes and moves none. */
export function withUpdates(list: CallList, news: readonly CallItem[]): CallList {
  const byId = new Map(news.map((call) => [call.id, call]));
  const renewed = (call: CallItem) => {
    const now = byId.get(call.id);
    return now && JSON.stringify(now) !== JSON.stringify(call) ? now : call;
  };
  let any = false;
  const held = [...list.held].map(([page, calls]) => {
    const now = calls.map(renewed);
    const changed = now.some((call, index) => call !== calls[index]);
    any ||= changed;
    return [page, changed ? now : calls] as const;
  });
  return any ? { ...list, held: new Map(held) } : list;
}

/** Calls in `newest` that are not in the list yet, above it or among its first page. */
export function newCallsSince(list: CallList, newest: readonly CallItem[]): CallItem[] {
  const first = list.held.get(0) ?? [];
  const known = new Set(first.map(({ id }) => id));
  // Only the first page is known. IDs are ordered by conversation time.
  const last = list.next === null && list.starts.length < 2 ? undefined : first.at(-1)?.id;
  return newest.filter(({ id }) => !known.has(id) && (last === undefined || id > last));
}

export const hasEnded = ({ next, rows }: CallList): boolean => next === null || rows >= maxRows;

/** Metadata keys of the calls, most frequent first. */
export function keysOf(calls: Iterable<CallItem>): string[] {
  const counts = new Map<string, number>();
  for (const { metadata } of calls) for (const { key } of metadata) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([key]) => key);
}
