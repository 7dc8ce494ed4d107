import { openCallFiles } from "./call-files.ts";
import type { CallFilter } from "./call-filter.ts";
import type { FormProgress, Recording } from "./form.ts";
import { type Items, paged } from "./pages.ts";
import { inSnakeCase, toUnixTime } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  CallBody,
  CallDetailBody,
  CallItem,
  CallPageBody,
  CallsFoundBody,
  Fingerprint,
  Metadata,
} from "./wire.ts";

export interface ImportCall extends RequestOptions {
  readonly file: Recording;
  readonly campaignId: string;
  readonly agentEmail: string;
  /** Time of the conversation. A number is Unix time in seconds. */
  readonly happenedAt: Date | number;
  /** Pass an array of pairs to keep the order or to repeat keys. */
  readonly metadata?: Readonly<Record<string, string>> | Metadata | undefined;
  /** Validates the import without storing anything. */
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((progress: FormProgress) => void) | undefined;
}

export interface SearchCalls extends CallFilter, RequestOptions {
  /** Calls per page, at most 200. */
  readonly limit?: number | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  /** Also returns an estimate of the number of matching calls. */
  readonly count?: "estimate" | undefined;
}

export interface ChangeCall extends RequestOptions {
  /** The agent who handled the call, by email or by id. */
  readonly agentEmail?: string | undefined;
  readonly agentId?: string | undefined;
  /** null: use the campaign's setting. */
  readonly agentChannel?: "left" | "right" | "unknown" | null | undefined;
  readonly metadata?:
    | {
        readonly remove?: readonly { readonly key: string; readonly value?: string }[];
        readonly add?: Readonly<Record<string, string>> | Metadata;
      }
    | undefined;
}

export function openCalls(transport: Transport) {
  const search = paged(
    ({ signal, ...query }: SearchCalls) =>
      transport.json<CallPageBody>({ method: "GET", path: "/calls", query, signal }),
    ({ calls, next }) => ({ items: calls, next }),
  );
  return {
    ...openCallFiles(transport),
    /** Imports a call. Importing the same call again is safe: the response has `duplicate: true`. */
    import: async (call: ImportCall): Promise<CallBody> =>
      transport.upload({
        path: call.dryRun ? "/calls/audio?dry_run=true" : "/calls/audio",
        parts: [
          { name: "campaign_id", value: call.campaignId },
          { name: "conversation_timestamp", value: String(toUnixTime("happenedAt", call.happenedAt)) },
          { name: "agent_email", value: call.agentEmail },
          { name: "metadata", value: JSON.stringify(inPairs(call.metadata ?? [])) },
          // Last, so that the server can reject invalid values before the recording is sent.
          { name: "file", value: call.file },
        ],
        isComplete: ({ id, agent, recording }) => isPresent(id) && isPresent(agent) && isPresent(recording),
        signal: call.signal,
        onProgress: call.onProgress,
      }),
    /**
     * Checks which calls are already imported. Returns one result per fingerprint, in order; at most 1,000 per request.
     */
    lookUp: async (
      fingerprints: readonly Fingerprint[],
      options: RequestOptions = {},
    ): Promise<CallsFoundBody["calls"]> => {
      const ask = { method: "POST", path: "/calls/lookup", body: { fingerprints }, repeatable: true } as const;
      const isComplete = ({ calls }: Partial<CallsFoundBody>) =>
        Array.isArray(calls) && calls.length === fingerprints.length && calls.every(isPresent);
      return (await transport.json<CallsFoundBody>({ ...ask, ...options }, isComplete)).calls;
    },
    /** Iterates over all matching calls, newest conversation first. Pages are fetched as needed. */
    search: (filter: SearchCalls = {}): Items<CallItem> => search.all(filter),
    /** Returns one page of a search. */
    page: (filter: SearchCalls = {}): Promise<CallPageBody> => search.page(filter),
    /** Changes the given members of a call. */
    change: (id: string, { signal, metadata, ...change }: ChangeCall): Promise<CallDetailBody> => {
      const add = metadata?.add && inPairs(metadata.add);
      const body = inSnakeCase({ ...change, metadata: metadata && inSnakeCase({ remove: metadata.remove, add }) });
      // Adding metadata is not idempotent.
      return transport.json({
        method: "PATCH",
        path: `/calls/${encodeURIComponent(id)}`,
        body,
        signal,
        repeatable: !add,
      });
    },
  };
}

const isPresent = (value: unknown) => value !== undefined && value !== null;

const inPairs = (metadata: Readonly<Record<string, string>> | Metadata): Metadata =>
  Array.isArray(metadata) ? metadata : Object.entries(metadata).map(([key, value]) => ({ key, value }));
