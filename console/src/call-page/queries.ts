import type { CallFilter, ChangeCall } from "@hearback/sdk";
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { playerQueries } from "../player/queries.ts";
import { findNewerCall, findOlderCall } from "./adjacent-calls.ts";

const aMinute = 60_000;

export const callPageQueries = {
  changes: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...playerQueries.call(id).queryKey, "changes"],
      queryFn: ({ pageParam, signal }) => client.calls.changesPage(id, { limit: 20, cursor: pageParam, signal }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  /** Suggestions. Other addresses can be typed. */
  agents: queryOptions({
    queryKey: ["users", "agents"],
    queryFn: async ({ signal }) =>
      (await client.users.page({ role: "agent", limit: 500, signal })).users.map(({ email }) => email),
    staleTime: aMinute,
  }),
  /** Reviews of a call that the user may see, newest first. */
  reviews: (id: string) =>
    queryOptions({
      queryKey: ["reviews", "call", id],
      queryFn: async ({ signal }) => (await client.reviews.page({ callId: id, limit: 100, signal })).reviews,
    }),
  /** Calibration sessions that calls can be added to, newest first. */
  openCalibrations: queryOptions({
    queryKey: ["calibrations", "open"],
    queryFn: async ({ signal }) => (await client.calibrations.page({ state: "open", limit: 50, signal })).calibrations,
  }),
  /** Adjacent calls in the list. */
  older: (filter: CallFilter, id: string) =>
    queryOptions({
      queryKey: ["calls", "older", filter, id],
      queryFn: ({ signal }) => findOlderCall(client.calls.page, filter, { id, signal }),
      staleTime: aMinute,
    }),
  newer: (filter: CallFilter, id: string, happenedAt: Date) =>
    queryOptions({
      queryKey: ["calls", "newer", filter, id],
      queryFn: ({ signal }) => findNewerCall(client.calls.page, filter, { id, happenedAt, signal }),
      staleTime: aMinute,
    }),
};

export function useChangeCall(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeCall) => client.calls.change(id, change),
    async onSuccess(call) {
      queries.setQueryData(playerQueries.call(id).queryKey, call);
      // The sides may have swapped.
      await queries.invalidateQueries({ queryKey: playerQueries.speech(id).queryKey });
      await queries.invalidateQueries({ queryKey: ["calls"] });
    },
  });
}

export function useAddToCalibration(callId: string, onDone: (session: { readonly name: string }) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.calibrations.change(id, { addCallIds: [callId] }),
    async onSuccess(session) {
      onDone(session);
      await queries.invalidateQueries({ queryKey: ["calibrations"] });
    },
    gcTime: 0,
  });
}

export function usePrepareCall(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.calls.prepare(id),
    async onSuccess(call) {
      queries.setQueryData(playerQueries.call(id).queryKey, call);
      await queries.invalidateQueries({ queryKey: ["calls"] });
    },
  });
}
