import type { CallFilter, CallItem, CallPageBody, SearchCalls } from "@hearback/sdk";

type FindPage = (query: SearchCalls) => Promise<CallPageBody>;

/** Pages can be short or empty before the end. Follow up to this many. */
const maxPages = 5;

/** Next older call in the list. */
export async function findOlderCall(
  page: FindPage,
  filter: CallFilter,
  { id, signal }: { readonly id: string; readonly signal?: AbortSignal },
): Promise<CallItem | null> {
  let cursor = id;
  for (let asked = 0; asked < maxPages; asked++) {
    const { calls, next } = await page({ ...filter, cursor, limit: 1, signal });
    if (calls[0]) return calls[0];
    if (!next) return null;
    cursor = next;
  }
  return null;
}

const minute = 60_000;
/**
 * Lists are read from newest to oldest. To find the next newer call, the search window grows until it contains a call;
 * small steps keep the window small.
 */
const spans = [...Array.from({ length: 10 }, (_, times) => 2 * minute * 4 ** times), Number.POSITIVE_INFINITY];

/** Next newer call in the list. */
export async function findNewerCall(
  page: FindPage,
  filter: CallFilter,
  { id, happenedAt, signal }: { readonly id: string; readonly happenedAt: Date; readonly signal?: AbortSignal },
): Promise<CallItem | null> {
  for (const span of spans) {
    const reached = happenedAt.getTime() + span;
    // Few calls are in the future, so the last window is open-ended.
    const end = reached > Date.now() ? undefined : new Date(reached);
    const to = earlier(filter.to, end);
    const above = await lowestAbove(page, { ...filter, from: happenedAt, to, signal }, id);
    if (above) return above;
    if (to === filter.to) return null;
  }
  return null;
}

/** Call directly above the given one. If that one is out of reach, the lowest call seen. */
async function lowestAbove(page: FindPage, query: SearchCalls, id: string): Promise<CallItem | null> {
  let above: CallItem | null = null;
  let cursor: string | undefined;
  for (let asked = 0; asked < maxPages; asked++) {
    const { calls, next } = await page({ ...query, cursor, limit: 200 });
    const index = calls.findIndex((call) => call.id === id);
    above = (index < 0 ? calls.at(-1) : calls[index - 1]) ?? above;
    if (index >= 0 || !next) break;
    cursor = next;
  }
  return above;
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (!a || !b) return a ?? b;
  return a < b ? a : b;
}
