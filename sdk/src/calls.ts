import type { CallBody, CallDetailBody, CallsFoundBody, Fingerprint, Metadata } from "@hearback/contract";
import type { FormProgress, Recording } from "./form.ts";
import type { RequestOptions, Transport } from "./transport.ts";

export interface ImportCall extends RequestOptions {
  readonly file: Recording;
  readonly campaignId: string;
  readonly agentEmail: string;
  /** When the conversation took place; a number is Unix time in seconds. */
  readonly happenedAt: Date | number;
  /** In pairs where the order counts or a key is repeated. */
  readonly metadata?: Readonly<Record<string, string>> | Metadata | undefined;
  /** Checks everything and stores nothing. */
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((progress: FormProgress) => void) | undefined;
}

export function openCalls(transport: Transport) {
  return {
    /** Imports a call. Importing the same call again is safe: it is answered with `duplicate: true`. */
    import: (call: ImportCall): Promise<CallBody> =>
      transport.upload({
        path: call.dryRun ? "/calls/audio?dry_run=true" : "/calls/audio",
        parts: [
          { name: "campaign_id", value: call.campaignId },
          { name: "conversation_timestamp", value: String(unixSeconds(call.happenedAt)) },
          { name: "agent_email", value: call.agentEmail },
          { name: "metadata", value: JSON.stringify(inPairs(call.metadata ?? [])) },
          // Last, so that a wrong value is answered before the recording is sent.
          { name: "file", value: call.file },
        ],
        signal: call.signal,
        onProgress: call.onProgress,
      }),
    /** Which of these calls are here already: one answer for each fingerprint, in their order, 1,000 at most. */
    lookUp: async (fingerprints: readonly Fingerprint[], options: RequestOptions = {}) => {
      const ask = { method: "POST", path: "/calls/lookup", body: { fingerprints }, repeatable: true } as const;
      return (await transport.json<CallsFoundBody>({ ...ask, ...options })).calls;
    },
    find: (id: string, options: RequestOptions = {}): Promise<CallDetailBody> =>
      transport.json({ method: "GET", path: `/calls/${encodeURIComponent(id)}`, ...options }),
  };
}

const unixSeconds = (at: Date | number) => (typeof at === "number" ? at : Math.floor(at.getTime() / 1000));

const inPairs = (metadata: Readonly<Record<string, string>> | Metadata): Metadata =>
  Array.isArray(metadata) ? metadata : Object.entries(metadata).map(([key, value]) => ({ key, value }));
