import type { CallItem, CallPageBody } from "@hearback/sdk";

export const pageSize = 100;
/** Pages kept at once, beside the first: far more than a screen, far less than what somebody scrolls through. */
const heldPages = 12;
/** A browser cannot draw a box of any height. */
export const mostRows = 200_000;

interface Start {
  /** The `next` of the page before. */
  readonly after: string | undefined;
  /** The page's first row. */
  readonly row: number;
}

/** How far a search was read. Of each page it is known where it begins; the calls themselves only of some. */
export interface CallList {
  readonly starts: readonly Start[];
  readonly rows: number;
  /** What the next page comes after; null: there is none. */
  readonly next: string | null;
  /** Matches are rare, and down to this time all was looked at. */
  readonly searchedTo: string | undefined;
  /** How many answers in a row were short. */
  readonly shortAnswers: number;
  readonly held: ReadonlyMap<number, readonly CallItem[]>;
}

const nothingRead: CallList = {
  ...{ starts: [], rows: 0, next: null, searchedTo: undefined, shortAnswers: 0, held: new Map() },
};

export const beginList = (first: CallPageBody): CallList => withPage(nothingRead, 0, first);

/** The list with this answer in it: the next page, or one that was known and let go. Pages far from it are let go. */
export function withPage(list: CallList, page: number, body: CallPageBody): CallList {
  const { calls, next } = body;
  const after = afterOf(list, page);
  const known = list.starts[page];
  const same = known && lengthOf(list, page) === calls.length && afterOf(list, page + 1) === (next ?? undefined);
  const held = new Map([...list.held].filter(([other]) => isNear(other, page)));
  if (same) return { ...list, held: held.set(page, calls) };
  // Calls came or went in between: where later pages began is no longer true.
  const before = known ? list.starts.slice(0, page) : list.starts;
  for (const other of held.keys()) if (other >= page) held.delete(other);
  const row = known?.row ?? list.rows;
  const read = { next, searchedTo: body.searched_to, shortAnswers: body.searched_to ? list.shortAnswers + 1 : 0 };
  // Nothing on it and more behind it: the page simply begins later.
  if (calls.length === 0) return { ...read, starts: before, rows: row, held };
  return { ...read, starts: [...before, { after, row }], rows: row + calls.length, held: held.set(page, calls) };
}

const isNear = (page: number, to: number) => page === 0 || Math.abs(page - to) <= heldPages / 2;

/** What the page comes after. */
export const afterOf = (list: CallList, page: number): string | undefined =>
  page < list.starts.length ? list.starts[page]?.after : (list.next ?? undefined);

const lengthOf = ({ starts, rows }: CallList, page: number) =>
  (starts[page + 1]?.row ?? rows) - (starts[page]?.row ?? rows);

/** The page on which a row is. */
export function pageOf({ starts }: CallList, row: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.row ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The call of a row, if it is here. */
export function callAt(list: CallList, row: number): CallItem | undefined {
  const page = pageOf(list, row);
  return list.held.get(page)?.[row - (list.starts[page]?.row ?? 0)];
}

/** The row of a call, if it is here. */
export function rowOf({ held, starts }: CallList, id: string): number | undefined {
  for (const [page, calls] of held) {
    const place = calls.findIndex((call) => call.id === id);
    if (place >= 0) return (starts[page]?.row ?? 0) + place;
  }
  return undefined;
}

/** Known pages that are wanted for these rows and not here, the nearest first. */
export function missingPages(list: CallList, { first, last }: { readonly first: number; readonly last: number }) {
  if (list.rows === 0) return [];
  const [from, to] = [pageOf(list, Math.max(0, first)), pageOf(list, Math.min(list.rows - 1, last))];
  const wanted = [from, to, from - 1, to + 1];
  return [...new Set(wanted)].filter((page) => page >= 0 && page < list.starts.length && !list.held.has(page));
}

/** The same list with what is now known about some of its calls: none comes, goes or moves. */
export function withNews(list: CallList, news: readonly CallItem[]): CallList {
  const byId = new Map(news.map((call) => [call.id, call]));
  const renewed = (call: CallItem) => {
    const now = byId.get(call.id);
    return now && JSON.stringify(now) !== JSON.stringify(call) ? now : call;
  };
  let any = false;
  const held = [...list.held].map(([page, calls]) => {
    const now = calls.map(renewed);
    const changed = now.some((call, place) => call !== calls[place]);
    any ||= changed;
    return [page, changed ? now : calls] as const;
  });
  return any ? { ...list, held: new Map(held) } : list;
}

/** Of the newest calls, those that came since the list was read, on top of it or between its first ones. */
export function cameSince(list: CallList, newest: readonly CallItem[]): CallItem[] {
  const first = list.held.get(0) ?? [];
  const known = new Set(first.map(({ id }) => id));
  // Beyond the first page nothing is known; ids are in the order of the conversations.
  const last = list.next === null && list.starts.length < 2 ? undefined : first.at(-1)?.id;
  return newest.filter(({ id }) => !known.has(id) && (last === undefined || id > last));
}

export const hasEnded = ({ next, rows }: CallList): boolean => next === null || rows >= mostRows;

/** The names of metadata on the calls that are here, the most frequent first. */
export function keysOf(calls: Iterable<CallItem>): string[] {
  const counts = new Map<string, number>();
  for (const { metadata } of calls) for (const { key } of metadata) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([key]) => key);
}
