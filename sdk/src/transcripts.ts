import type { CallFilter } from "./call-filter.ts";
import type { Download } from "./download.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  CallDetailBody,
  TranscriptBody,
  TranscriptFormat,
  TranscriptionUsageBody,
  TranscriptMatchesBody,
} from "./wire.ts";

export interface CorrectTranscript extends RequestOptions {
  /** The `id` of the transcript that was read. */
  readonly transcriptId: string;
  readonly corrections: readonly {
    /** Index of the turn. */
    readonly turn: number;
    /** Index of the word in the turn. */
    readonly word: number;
    /** What was said. null: what the engine understood. */
    readonly text: string | null;
  }[];
}

export interface FindMatches extends RequestOptions {
  /** As in a search: words, and phrases in double quotes. */
  readonly said: string;
  readonly saidBy?: CallFilter["saidBy"];
  /** At most 20; default 3. */
  readonly limit?: number | undefined;
}

/** What was said in calls. */
export function openTranscripts(transport: Transport) {
  return {
    /** The transcript of a call. Throws a ServiceError with code "transcript_not_found" that says why it has none. */
    find: (callId: string, options: RequestOptions = {}): Promise<TranscriptBody> =>
      transport.json({ method: "GET", path: pathOf(callId), query: { format: "json" }, ...options }),
    /** Downloads the transcript as subtitles, as text or as JSON. */
    download: (
      callId: string,
      { format, signal }: RequestOptions & { readonly format: TranscriptFormat },
    ): Promise<Download> => transport.download({ method: "GET", path: pathOf(callId), query: { format }, signal }),
    /** Corrects words. What the engine understood is kept. */
    correct: (callId: string, { signal, ...correction }: CorrectTranscript): Promise<TranscriptBody> =>
      transport.json({ method: "PATCH", path: pathOf(callId), body: inSnakeCase(correction), signal }),
    /** Queues a call to be transcribed, again if it has a transcript. */
    request: (callId: string, options: RequestOptions = {}): Promise<CallDetailBody> =>
      transport.json({
        method: "POST",
        path: `/calls/${encodeURIComponent(callId)}/transcribe`,
        repeatable: true,
        ...options,
      }),
    /** Finds the sentences of a call in which something was said. */
    matches: (callId: string, { signal, ...query }: FindMatches): Promise<TranscriptMatchesBody> =>
      transport.json({ method: "GET", path: `${pathOf(callId)}/matches`, query, signal }),
    /** Minutes of speech that were transcribed on each of the last days. */
    usage: ({
      signal,
      ...query
    }: RequestOptions & { readonly days?: number | undefined } = {}): Promise<TranscriptionUsageBody> =>
      transport.json({ method: "GET", path: "/transcription/usage", query, signal }),
  };
}
export type Transcripts = ReturnType<typeof openTranscripts>;

const pathOf = (callId: string) => `/calls/${encodeURIComponent(callId)}/transcript`;
