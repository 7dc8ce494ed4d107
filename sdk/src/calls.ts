import { openCallFiles } from "./call-files.ts";
import type { CallFilter } from "./call-filter.ts";
import type { FormProgress, Recording } from "./form.ts";
import { type Items, paged } from "./pages.ts";
import { inSnakeCase, toQuery } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  CallBody,
  CallChangeBody,
  CallChangePageBody,
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
  /** When the conversation took place; a number is Unix time in seconds. */
  readonly happenedAt: Date | number;
  /** In pairs where the order counts or a key is repeated. */
  readonly metadata?: Readonly<Record<string, string>> | Metadata | undefined;
  /** Checks everything and stores nothing. */
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ((progress: FormProgress) => void) | undefined;
}

export interface SearchCalls extends CallFilter, RequestOptions {
  /** Calls in one page, 200 at most. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** Also says how many calls there are, roughly. */
  readonly count?: "estimate" | undefined;
}

export interface ChangeCall extends RequestOptions {
  /** The agent whose call it is, by e-mail or by id. */
  readonly agentEmail?: string | undefined;
  readonly agentId?: string | undefined;
  /** null: as the campaign says. */
  readonly agentChannel?: "left" | "right" | "unknown" | null | undefined;
  readonly metadata?:
    | {
        readonly remove?: readonly { readonly key: string; readonly value?: string }[];
        readonly add?: Readonly<Record<string, string>> | Metadata;
      }
    | undefined;
}

export interface ListCallChanges extends RequestOptions {
  readonly limit?: number | undefined;
  readonly cursor?: number | undefined;
}

export function openCalls(transport: Transport) {
  const search = paged(
    ({ signal, ...query }: SearchCalls) =>
      transport.json<CallPageBody>({ method: "GET", path: "/calls", query: toQuery(query), signal }),
    ({ calls, next }) => ({ items: calls, next }),
    () => "after",
  );
  const changes = paged(
    ({ id, signal, ...query }: ListCallChanges & { id: string }) =>
      transport.json<CallChangePageBody>({
        method: "GET",
        path: pathOf(id, "/changes"),
        query: toQuery(query),
        signal,
      }),
    (page) => ({ items: page.changes, next: page.next }),
  );
  return {
    ...openCallFiles(transport),
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
        isWhole: ({ id, agent, recording }) => isThere(id) && isThere(agent) && isThere(recording),
        signal: call.signal,
        onProgress: call.onProgress,
      }),
    /** Which of these calls are here already: one answer for each fingerprint, in their order, 1,000 at most. */
    lookUp: async (
      fingerprints: readonly Fingerprint[],
      options: RequestOptions = {},
    ): Promise<CallsFoundBody["calls"]> => {
      const ask = { method: "POST", path: "/calls/lookup", body: { fingerprints }, repeatable: true } as const;
      const isWhole = ({ calls }: Partial<CallsFoundBody>) =>
        Array.isArray(calls) && calls.length === fingerprints.length && calls.every(isThere);
      return (await transport.json<CallsFoundBody>({ ...ask, ...options }, isWhole)).calls;
    },
    /** All calls that match, newest conversation first; reads page by page while you go through them. */
    search: (filter: SearchCalls = {}): Items<CallItem> => search.all(filter),
    /** One page of a search. */
    page: (filter: SearchCalls = {}): Promise<CallPageBody> => search.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<CallDetailBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** Corrects what is given and leaves the rest. */
    change: (id: string, { signal, metadata, ...change }: ChangeCall): Promise<CallDetailBody> => {
      const add = metadata?.add && inPairs(metadata.add);
      const body = inSnakeCase({ ...change, metadata: metadata && inSnakeCase({ remove: metadata.remove, add }) });
      // What is added twice is there twice.
      return transport.json({ method: "PATCH", path: pathOf(id), body, signal, repeatable: !add });
    },
    /** Erases the call and its recording, for good. */
    erase: (id: string, options: RequestOptions = {}): Promise<void> => transport.remove(pathOf(id), options),
    /** Has a call that failed prepared again. */
    prepare: (id: string, options: RequestOptions = {}): Promise<CallDetailBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/prepare"), repeatable: true, ...options }),
    /** What was changed about a call and by whom, newest first. */
    changes: (id: string, options: ListCallChanges = {}): Items<CallChangeBody> => changes.all({ ...options, id }),
    changesPage: (id: string, options: ListCallChanges = {}): Promise<CallChangePageBody> =>
      changes.page({ ...options, id }),
  };
}
export type Calls = ReturnType<typeof openCalls>;

const pathOf = (id: string, rest = "") => `/calls/${encodeURIComponent(id)}${rest}`;

const isThere = (value: unknown) => value !== undefined && value !== null;

const unixSeconds = (at: Date | number) => (typeof at === "number" ? at : Math.floor(at.getTime() / 1000));

const inPairs = (metadata: Readonly<Record<string, string>> | Metadata): Metadata =>
  Array.isArray(metadata) ? metadata : Object.entries(metadata).map(([key, value]) => ({ key, value }));
