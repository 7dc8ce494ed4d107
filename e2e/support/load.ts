import { setTimeout as sleep } from "node:timers/promises";
import { multipart } from "./http.ts";
import { aRecording, partsOf, trySending } from "./recordings.ts";
import type { Service } from "./service.ts";

/** An import that was not answered with 200. */
export interface Refusal {
  /** The status, or 0 where the connection ended without an answer. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  readonly ms: number;
}

/** Clients that import without a pause. */
export interface Load {
  /** The ids of all calls answered with 200, by the digest of what was sent. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly refusals: readonly Refusal[];
  /** For each client, when its last successful import began. */
  readonly lastGood: readonly number[];
  /** Lets every client finish the recording that it is at; fails if one of them cannot within a minute. */
  stop(): Promise<void>;
  /** Lets no client begin anything more; for a test that has failed. */
  abandon(): void;
}

const PATIENCE_MS = 60_000;

/** Starts clients that import distinct recordings, each sent with the same bytes until it is answered with 200. */
export function startLoad(service: Service, options: { clients: number; size: () => number }): Load {
  const acknowledged = new Map<string, string>();
  const refusals: Refusal[] = [];
  const lastGood = Array.from({ length: options.clients }, () => 0);
  let stopping = Number.POSITIVE_INFINITY;
  let abandoned = false;

  async function importOne(client: number): Promise<void> {
    const recording = aRecording(options.size());
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
      if (Date.now() > stopping + PATIENCE_MS) throw new Error(`a client is still refused: ${answer}`);
      await sleep(100);
    }
  }

  const clients = lastGood.map(async (_, client) => {
    while (stopping === Number.POSITIVE_INFINITY) await importOne(client);
  });
  const all = Promise.all(clients);
  // Told by stop(); until then a client that failed is no unhandled rejection.
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

/** How often each status came, for a line of figures; 0 is a connection without an answer. */
export function countByStatus(refusals: readonly Refusal[]): string {
  const counts = Map.groupBy(refusals, ({ status }) => status);
  return [...counts].map(([status, these]) => `${these.length} × ${status || "no answer"}`).join(", ") || "none";
}
