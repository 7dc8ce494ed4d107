import type { TranscriptBody } from "@hearback/sdk";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";
import { playerQueries } from "../player/queries.ts";

const aMinute = 60_000;

const transcripts = (callId: string) => ["transcripts", callId];

export const transcriptQueries = {
  /** A transcript that was made again has another id. Large: not kept for long. */
  one: (callId: string, transcriptId: string) =>
    queryOptions({
      queryKey: [...transcripts(callId), transcriptId],
      queryFn: ({ signal }) => client.transcripts.find(callId, { signal }),
      staleTime: 10 * aMinute,
      gcTime: aMinute,
      structuralSharing: false,
    }),
};

interface Correction {
  readonly turn: number;
  readonly word: number;
  /** null: what the engine understood. */
  readonly text: string | null;
}

export function useCorrectWord(callId: string, transcriptId: string) {
  const queries = useQueryClient();
  const { queryKey } = transcriptQueries.one(callId, transcriptId);
  return useMutation({
    mutationFn: (correction: Correction) =>
      client.transcripts.correct(callId, { transcriptId, corrections: [correction] }),
    async onSuccess(transcript: TranscriptBody) {
      if (Array.isArray(transcript?.turns)) queries.setQueryData(queryKey, transcript);
      else await queries.invalidateQueries({ queryKey, exact: true });
    },
    // The call may have been transcribed again.
    onError: () => void queries.invalidateQueries({ queryKey: playerQueries.call(callId).queryKey, exact: true }),
  });
}

export function useRequestTranscription(callId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.transcripts.request(callId),
    onSuccess: () => queries.invalidateQueries({ queryKey: playerQueries.call(callId).queryKey, exact: true }),
  });
}
