import type { ListedCall } from "../call/find-calls.ts";

/** What was said in a call, as text and as JSON. */
export interface ExportedTranscript {
  readonly text: string;
  readonly body: object;
}

/** Reads the transcripts of some calls, by call id. `transcripts` provides it. */
export type ReadTranscripts = (
  workspaceId: string,
  calls: readonly ListedCall[],
) => Promise<ReadonlyMap<string, ExportedTranscript>>;

/** Without `transcript`, transcripts are not exported; null: the call has none. */
export type ExportedCall = ListedCall & { readonly transcript?: ExportedTranscript | null };
