import { setTimeout as sleep } from "node:timers/promises";
import { multipart } from "../http/http.ts";
import type { Service } from "../http/service.ts";
import { makeRecording, partsOf, trySending } from "../recordings/recordings.ts";

/** An import without a 200. */
export interface Refusal {
  /** The status; 0 if the connection ended without a response. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  readonly ms: number;
}

/** Clients that import continuously. */
export interface Load {
  /** Acknowledged calls: SHA-256 of the recording → call id. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly refusals: readonly Refusal[];
  /** Start of the last successful import of each client. */
  readonly lastGood: readonly number[];
  /** Lets every client finish its current recording. Fails if one takes longer than a minute. */
  stop(): Promise<void>;
  /** Stops all clients, for cleanup after a failed test. */
  abandon(): void;
}

const PATIENCE_MS = 60_000;

interface LoadOptions {
  readonly clients: number;
  /** Bytes of the next recording. */
  readonly size: () => number;
  /** Pause of a client after an import; default: none. */
  readonly pause?: () => Promise<void>;
}

/** Starts clients that import unique recordings and repeat each until it gets 200. */
export function startLoad(service: Service, options: LoadOptions): Load {
  const acknowledged = new Map<string, string>();
  const refusals: Refusal[] = [];
  const lastGood = Array.from({ length: options.clients }, () => 0);
  let stopping = Number.POSITIVE_INFINITY;
  let abandoned = false;

  async function importOne(client: number): Promise<void> {
    const recording = makeRecording(options.size());
    const form = multipart(partsOf(service, recording));
    while (!abandoned) {
      const begun = Date.now();
      const answer = await trySending(service, form);
      const ms = Date.now() - begun;
      if (!(answer instanceof Error) && answer.status === 200) {
        acknowledged.set(recording.sha256, answer.body.id);
        lastGood[client] = begun;
        return;
      }
      refusals.push(
        answer instanceof Error
          ? { status: 0, retryAfter: undefined, text: answer.message, ms }
          : { status: answer.status, retryAfter: answer.headers["retry-after"], text: answer.text, ms },
      );
      if (Date.now() > stopping + PATIENCE_MS) throw new Error(`a client still gets errors: ${answer}`);
      await sleep(100);
    }
  }

  const clients = lastGood.map(async (_, client) => {
    while (stopping === Number.POSITIVE_INFINITY) {
      await importOne(client);
      await options.pause?.();
    }
  });
  const all = Promise.all(clients);
  // stop() reports the error. Until then it must not be an unhandled rejection.
  all.catch(() => {});

  return {
    acknowledged,
    refusals,
    lastGood,
    async stop() {
      stopping = Date.now();
      await all;
    },
    abandon() {
      stopping = Date.now();
      abandoned = true;
    },
  };
}

/** Counts per status, as text; 0 is a connection without a response. */
export function countByStatus(refusals: readonly Refusal[]): string {
  const counts = Map.groupBy(refusals, ({ status }) => status);
  return [...counts].map(([status, these]) => `${these.length} × ${status || "no answer"}`).join(", ") || "none";
}
