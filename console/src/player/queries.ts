import type { CallFilter, ChangeCall } from "@hearback/sdk";
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { client } from "../client.ts";
import { findNewer, findOlder } from "./neighbours.ts";
import { readWaveform } from "./waveform.ts";

const aMinute = 60_000;
const one = (id: string) => ["calls", "one", id];
/** What never changes as long as the call is there, and is large: apart from the calls, which are asked for again. */
const sound = (id: string) => ["sound", id];

/** What the console asks about one call. Components never build a query key themselves. */
export const playerQueries = {
  call: (id: string) =>
    queryOptions({
      queryKey: one(id),
      queryFn: ({ signal }) => client.calls.find(id, { signal }),
      // Until it is ready it is worth looking again.
      refetchInterval: ({ state }) => (state.data?.status === "received" ? 1500 : false),
    }),
  waveform: (id: string) =>
    queryOptions({
      queryKey: [...sound(id), "waveform"],
      queryFn: async ({ signal }) => readWaveform(await client.calls.waveform(id, { signal })),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: aMinute,
      structuralSharing: false,
    }),
  speech: (id: string) =>
    queryOptions({
      queryKey: [...sound(id), "speech"],
      queryFn: ({ signal }) => client.calls.speech(id, { signal }),
      staleTime: 10 * aMinute,
      gcTime: aMinute,
    }),
  changes: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...one(id), "changes"],
      queryFn: ({ pageParam, signal }) => client.calls.changesPage(id, { limit: 20, cursor: pageParam, signal }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** Addresses to choose from. One that is not among them can still be typed. */
  agents: queryOptions({
    queryKey: ["users", "agents"],
    queryFn: async ({ signal }) =>
      (await client.users.page({ role: "agent", limit: 500, signal })).users.map(({ email }) => email),
    staleTime: aMinute,
  }),
  /** The calls before and after it in the list one came from. */
  older: (filter: CallFilter, id: string) =>
    queryOptions({
      queryKey: ["calls", "older", filter, id],
      queryFn: ({ signal }) => findOlder(client.calls.page, filter, { id, signal }),
      staleTime: aMinute,
    }),
  newer: (filter: CallFilter, id: string, happenedAt: Date) =>
    queryOptions({
      queryKey: ["calls", "newer", filter, id],
      queryFn: ({ signal }) => findNewer(client.calls.page, filter, { id, happenedAt, signal }),
      staleTime: aMinute,
    }),
};

/** Has a call at hand before it is opened: somebody points at it, or is at the one before. */
export async function prefetchCall(queries: QueryClient, id: string): Promise<void> {
  await queries.prefetchQuery(playerQueries.call(id));
  const isReady = queries.getQueryData(playerQueries.call(id).queryKey)?.status === "ready";
  if (isReady) await queries.prefetchQuery(playerQueries.speech(id));
}

export function useChangeCall(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeCall) => client.calls.change(id, change),
    async onSuccess(call) {
      queries.setQueryData(one(id), call);
      // The sides may have changed their names.
      await queries.invalidateQueries({ queryKey: [...sound(id), "speech"] });
      await queries.invalidateQueries({ queryKey: ["calls"] });
    },
  });
}

export function usePrepareCall(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.calls.prepare(id),
    async onSuccess(call) {
      queries.setQueryData(one(id), call);
      await queries.invalidateQueries({ queryKey: ["calls"] });
    },
  });
}
