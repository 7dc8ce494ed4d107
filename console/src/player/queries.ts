import type { CallDetailBody } from "@hearback/sdk";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { client } from "../client.ts";
import { parseWaveform } from "./waveform/waveform.ts";

const aMinute = 60_000;
/** Waveform and speech: large and immutable, so not refetched with the call. */
const sound = (id: string) => ["sound", id];

/** Queries of a call, its waveform and its speech. Components use these instead of building query keys. */
export const playerQueries = {
  call: (id: string) =>
    queryOptions({
      queryKey: ["calls", "one", id],
      queryFn: ({ signal }) => client.calls.find(id, { signal }),
      // Poll until the call is processed and transcribed.
      refetchInterval: ({ state: { data } }) =>
        data?.status === "received" ? 1500 : isTranscribed(data) ? false : 5000,
    }),
  waveform: (id: string) =>
    queryOptions({
      queryKey: [...sound(id), "waveform"],
      queryFn: async ({ signal }) => parseWaveform(await client.calls.waveform(id, { signal })),
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
};

/** False while a transcript is being made. */
const isTranscribed = (call: CallDetailBody | undefined) =>
  !call?.steps.some(({ step, state }) => step === "transcribe" && (state === "waiting" || state === "running"));

/** Prefetches a call the user is likely to open next. */
export async function prefetchCall(queries: QueryClient, id: string): Promise<void> {
  await queries.prefetchQuery(playerQueries.call(id));
  const isReady = queries.getQueryData(playerQueries.call(id).queryKey)?.status === "ready";
  if (isReady) await queries.prefetchQuery(playerQueries.speech(id));
}
