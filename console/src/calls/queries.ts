import type { CallFilter, CallItem, UserBody } from "@hearback/sdk";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { type CallList, keysOf, pageSize, startList } from "./call-list.ts";

const aMinute = 60_000;
const listGcMs = 120 * aMinute;
const maxLists = 8;
export const newestCalls = 50;
const maxCampaigns = 2_000;

// Not under "calls": invalidating calls must not reset a list that was scrolled.
const lists = ["call-list"];
const positions = ["call-place"];

/** Queries for lists of calls. Components never build query keys themselves. */
export const callQueries = {
  /** First page plus pages read later. Kept while the user plays one of its calls. */
  list: (filter: CallFilter) =>
    queryOptions({
      queryKey: [...lists, filter],
      async queryFn({ signal, client: queries }) {
        evictOldLists(queries);
        return startList(await client.calls.page({ ...filter, limit: pageSize, signal }));
      },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: listGcMs,
      structuralSharing: false,
    }),
  /** One more page, merged into the list. */
  page: (filter: CallFilter, cursor: string | undefined) =>
    queryOptions({
      queryKey: ["call-list-page", filter, cursor],
      queryFn: ({ signal }) => client.calls.page({ ...filter, cursor, limit: pageSize, signal }),
      staleTime: 0,
      gcTime: 0,
      structuralSharing: false,
    }),
  /** Newest calls, polled for new calls and status changes. */
  newest: (filter: CallFilter) =>
    queryOptions({
      queryKey: ["calls", "newest", filter],
      queryFn: async ({ signal }) => (await client.calls.page({ ...filter, limit: newestCalls, signal })).calls,
      // No request while the list itself is fresh.
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
  /** Metadata keys in use. */
  keys: queryOptions({
    queryKey: ["calls", "keys"],
    queryFn: async ({ signal }) => keysOf((await client.calls.page({ limit: 50, signal })).calls),
    staleTime: 10 * aMinute,
  }),
  /** Campaign names by ID, including archived campaigns. */
  campaigns: queryOptions({
    queryKey: ["campaigns", "names"],
    async queryFn({ signal }) {
      const names = new Map<string, string>();
      for await (const { id, name } of client.campaigns.list({ archived: "all", limit: 100, signal })) {
        names.set(id, name);
        if (names.size === maxCampaigns) break;
      }
      return names;
    },
    staleTime: 5 * aMinute,
    structuralSharing: false,
  }),
  /** Users whose name or email address matches. */
  agents: (words: string) =>
    queryOptions({
      queryKey: ["users", "named", words],
      queryFn: async ({ signal }) =>
        (await client.users.page({ ...(words && { search: words }), limit: 50, signal })).users,
      staleTime: aMinute,
      placeholderData: keepPreviousData,
    }),
  hasAgents: queryOptions({
    queryKey: ["users", "any-agent"],
    queryFn: async ({ signal }) => (await client.users.page({ role: "agent", limit: 1, signal })).users.length > 0,
  }),
  hasScorecards: queryOptions({
    queryKey: ["scorecards", "any"],
    queryFn: async ({ signal }) => (await client.scorecards.page({ limit: 1, signal })).scorecards.length > 0,
  }),
  agent: (id: string) =>
    queryOptions({
      queryKey: ["users", "one", id],
      queryFn: ({ signal }): Promise<UserBody> => client.users.find(id, { signal }),
      staleTime: 10 * aMinute,
    }),
};

/** Scroll position and row when the user left the list. */
export interface ListPosition {
  readonly offset: number;
  readonly row: number;
}

/** `name` is a history key or a query string. */
export const findListPosition = (queries: QueryClient, name: string) =>
  queries.getQueryData<ListPosition>([...positions, name]);

export function saveListPosition(queries: QueryClient, name: string, position: ListPosition): void {
  const options = { queryKey: [...positions, name], gcTime: listGcMs };
  queries.getQueryCache().build<ListPosition, Error, ListPosition>(queries, options).setData(position);
}

export function changeList(queries: QueryClient, filter: CallFilter, change: (list: CallList) => CallList): void {
  queries.setQueryData(callQueries.list(filter).queryKey, (list) => list && change(list));
}

/** Refetches the list in the background. */
export async function refetchList(queries: QueryClient, filter: CallFilter): Promise<void> {
  void queries.invalidateQueries({ queryKey: callQueries.count(filter).queryKey, exact: true });
  await queries.refetchQueries({ queryKey: callQueries.list(filter).queryKey, exact: true });
}

/** Resets the list to its first page. */
export async function resetList(queries: QueryClient, filter: CallFilter): Promise<void> {
  void queries.invalidateQueries({ queryKey: callQueries.count(filter).queryKey, exact: true });
  await queries.resetQueries({ queryKey: callQueries.list(filter).queryKey, exact: true });
}

/** Finds a call in any cached list. */
export function findCachedCall(queries: QueryClient, id: string): CallItem | undefined {
  for (const [, list] of queries.getQueriesData<CallList>({ queryKey: lists })) {
    for (const calls of list?.held.values() ?? []) {
      const call = calls.find((one) => one.id === id);
      if (call) return call;
    }
  }
  return undefined;
}

/** Evicts old lists. Every search creates one. */
function evictOldLists(queries: QueryClient): void {
  const left = queries.getQueryCache().findAll({ queryKey: lists, type: "inactive" });
  const newestFirst = left.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  for (const { queryKey } of newestFirst.slice(maxLists)) queries.removeQueries({ queryKey, exact: true });
}
