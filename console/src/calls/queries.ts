import type { CallFilter, CallItem, UserBody } from "@hearback/sdk";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { beginList, type CallList, keysOf, pageSize } from "./call-list.ts";

const aMinute = 60_000;
const somebodyListens = 120 * aMinute;
const mostLists = 8;
export const newestCalls = 50;
/** How many campaigns are known by name. */
const mostCampaigns = 2_000;

// Not under "calls": a list that was read half-way down must not begin again because one of its calls was changed.
const lists = ["call-list"];
const places = ["call-place"];

/** What the console asks about many calls. Components never build a query key themselves. */
export const callQueries = {
  /** The first page, and whatever is read after it. It stays while somebody listens to one of its calls. */
  list: (filter: CallFilter) =>
    queryOptions({
      queryKey: [...lists, filter],
      async queryFn({ signal, client: queries }) {
        letGoOldLists(queries);
        return beginList(await client.calls.page({ ...filter, limit: pageSize, signal }));
      },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: somebodyListens,
      structuralSharing: false,
    }),
  /** One more page of it, which becomes a part of the list. */
  page: (filter: CallFilter, after: string | undefined) =>
    queryOptions({
      queryKey: ["call-list-page", filter, after],
      queryFn: ({ signal }) => client.calls.page({ ...filter, after, limit: pageSize, signal }),
      staleTime: 0,
      gcTime: 0,
      structuralSharing: false,
    }),
  /** The newest of them, asked for again and again: what came, and what became of those that are shown. */
  newest: (filter: CallFilter) =>
    queryOptions({
      queryKey: ["calls", "newest", filter],
      queryFn: async ({ signal }) => (await client.calls.page({ ...filter, limit: newestCalls, signal })).calls,
      // As long as the list itself is new, there is nothing to ask.
      initialData: (): CallItem[] => [],
      refetchInterval: aMinute / 2,
      staleTime: aMinute / 12,
      gcTime: aMinute,
    }),
  count: (filter: CallFilter) =>
    queryOptions({
      queryKey: ["calls", "count", filter],
      queryFn: async ({ signal }) => {
        const { estimate } = await client.calls.page({ ...filter, limit: 1, count: "estimate", signal });
        return estimate ?? null;
      },
      staleTime: aMinute,
    }),
  /** The names of metadata that are in use. */
  keys: queryOptions({
    queryKey: ["calls", "keys"],
    queryFn: async ({ signal }) => keysOf((await client.calls.page({ limit: 50, signal })).calls),
    staleTime: 10 * aMinute,
  }),
  /** Campaigns by id. Archived ones have calls, too. */
  campaigns: queryOptions({
    queryKey: ["campaigns", "names"],
    async queryFn({ signal }) {
      const names = new Map<string, string>();
      for await (const { id, name } of client.campaigns.list({ archived: "all", limit: 100, signal })) {
        names.set(id, name);
        if (names.size === mostCampaigns) break;
      }
      return names;
    },
    staleTime: 5 * aMinute,
    structuralSharing: false,
  }),
  /** People whose name or address has these words. */
  agents: (words: string) =>
    queryOptions({
      queryKey: ["users", "named", words],
      queryFn: async ({ signal }) =>
        (await client.users.page({ ...(words && { search: words }), limit: 50, signal })).users,
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
  agent: (id: string) =>
    queryOptions({
      queryKey: ["users", "one", id],
      queryFn: ({ signal }): Promise<UserBody> => client.users.find(id, { signal }),
      staleTime: 10 * aMinute,
    }),
};

/** Where somebody was in a list when they left it. */
export interface Place {
  readonly offset: number;
  readonly row: number;
}

/** By a step in the browser's history, or by what the address bar says. */
export const findPlace = (queries: QueryClient, name: string) => queries.getQueryData<Place>([...places, name]);

export function keepPlace(queries: QueryClient, name: string, place: Place): void {
  const options = { queryKey: [...places, name], gcTime: somebodyListens };
  queries.getQueryCache().build<Place, Error, Place>(queries, options).setData(place);
}

export function changeList(queries: QueryClient, filter: CallFilter, change: (list: CallList) => CallList): void {
  queries.setQueryData(callQueries.list(filter).queryKey, (list) => list && change(list));
}

/** Asks for the list once more; what there is of it stays to be seen meanwhile. */
export async function lookAgain(queries: QueryClient, filter: CallFilter): Promise<void> {
  void queries.invalidateQueries({ queryKey: callQueries.count(filter).queryKey, exact: true });
  await queries.refetchQueries({ queryKey: callQueries.list(filter).queryKey, exact: true });
}

/** Begins the list again, as it is now. */
export async function readAnew(queries: QueryClient, filter: CallFilter): Promise<void> {
  void queries.invalidateQueries({ queryKey: callQueries.count(filter).queryKey, exact: true });
  await queries.resetQueries({ queryKey: callQueries.list(filter).queryKey, exact: true });
}

/** A call of a list that is still here. */
export function findHeld(queries: QueryClient, id: string): CallItem | undefined {
  for (const [, list] of queries.getQueriesData<CallList>({ queryKey: lists })) {
    for (const calls of list?.held.values() ?? []) {
      const call = calls.find((one) => one.id === id);
      if (call) return call;
    }
  }
  return undefined;
}

/** Every search leaves a list behind. */
function letGoOldLists(queries: QueryClient): void {
  const left = queries.getQueryCache().findAll({ queryKey: lists, type: "inactive" });
  const newestFirst = left.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const { queryKey } of newestFirst.slice(mostLists)) queries.removeQueries({ queryKey, exact: true });
}
