import type { CallFilter, CallItem, CallPageBody, SearchCalls } from "@hearback/sdk";

type FindPage = (query: SearchCalls) => Promise<CallPageBody>;

/** A page may be short, or empty, before the end: so often is it asked for the next. */
const patience = 5;

/** The call that comes after it in a list with the newest first. */
export async function findOlder(
  page: FindPage,
  filter: CallFilter,
  { id, signal }: { readonly id: string; readonly signal?: AbortSignal },
): Promise<CallItem | null> {
  let after = id;
  for (let asked = 0; asked < patience; asked++) {
    const { calls, next } = await page({ ...filter, after, limit: 1, signal });
    if (calls[0]) return calls[0];
    if (!next) return null;
    after = next;
  }
  return null;
}

const minute = 60_000;
/**
 * Lists are read downwards only: what is above is found in spans that grow until they hold something, each so little larger
 * than the last that it cannot hold much.
 */
const spans = [...Array.from({ length: 10 }, (_, times) => 2 * minute * 4 ** times), Number.POSITIVE_INFINITY];

/** The call that comes before it. */
export async function findNewer(
  page: FindPage,
  filter: CallFilter,
  { id, happenedAt, signal }: { readonly id: string; readonly happenedAt: Date; readonly signal?: AbortSignal },
): Promise<CallItem | null> {
  for (const span of spans) {
    const reached = happenedAt.getTime() + span;
    // Beyond now there is hardly anything: all of it at once.
    const end = reached > Date.now() ? undefined : new Date(reached);
    const to = earlier(filter.to, end);
    const above = await lowestAbove(page, { ...filter, from: happenedAt, to, signal }, id);
    if (above) return above;
    if (to === filter.to) return null;
  }
  return null;
}

/** The one above the call. Where the call is too far down to be reached, the lowest that was seen is the nearest known. */
async function lowestAbove(page: FindPage, query: SearchCalls, id: string): Promise<CallItem | null> {
  let above: CallItem | null = null;
  let after: string | undefined;
  for (let asked = 0; asked < patience; asked++) {
    const { calls, next } = await page({ ...query, after, limit: 200 });
    const place = calls.findIndex((call) => call.id === id);
    above = (place < 0 ? calls.at(-1) : calls[place - 1]) ?? above;
    if (place >= 0 || !next) break;
    after = next;
  }
  return above;
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (!a || !b) return a ?? b;
  return a < b ? a : b;
}
