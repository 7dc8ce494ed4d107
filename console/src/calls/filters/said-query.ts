import type { CallFilter, TranscriptMatchesBody } from "@hearback/sdk";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { client } from "../../client.ts";

/** What a list of calls was searched for. */
export interface Said {
  readonly said: string;
  readonly saidBy: CallFilter["saidBy"];
}

/** Where it was said in a call. Cancelled when the row leaves the screen. */
export const matchesQuery = (callId: string, { said, saidBy }: Said) =>
  queryOptions({
    queryKey: ["transcript-matches", callId, said, saidBy],
    queryFn: ({ signal }) => client.transcripts.matches(callId, { said, ...(saidBy && { saidBy }), limit: 1, signal }),
    staleTime: 10 * 60_000,
    gcTime: 5 * 60_000,
    retry: 1,
  });

export type Match = TranscriptMatchesBody["matches"][number];

export const findCachedMatch = (queries: QueryClient, callId: string, said: Said): Match | undefined =>
  queries.getQueryData(matchesQuery(callId, said).queryKey)?.matches[0];
