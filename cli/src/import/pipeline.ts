import type { Client } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import type { AdaptiveConcurrency } from "./concurrency/adaptive-concurrency.ts";
import { openCondition } from "./concurrency/condition.ts";
import { EntryError } from "./entry-error.ts";
import { type ImportStatsOptions, openImportStats } from "./import-stats.ts";
import type { Journal } from "./journal/journal.ts";
import { keptBytes } from "./read-recording.ts";
import { isFatal, openShutdown, type StopOptions } from "./shutdown.ts";
import type { HashedEntry } from "./upload-entry.ts";

/** Read-ahead limits: enough for full look-up batches, with bounded memory. */
export const ahead = { entries: 400, bytes: 20 * 1024 * 1024 };

export interface ImportOptions extends ImportStatsOptions, StopOptions {
  /** Must have retries off (`attempts: 1`): AdaptiveConcurrency retries for all requests together. */
  readonly client: Client;
  /** Read on demand, a few hundred ahead. Should end when `signal` is aborted. */
  readonly entries: AsyncIterable<Entry>;
  readonly journal: Journal;
  readonly concurrency: AdaptiveConcurrency;
  /** Why agents could not be created, by lower-case email address. Reported for their rows. */
  readonly agentProblems?: ReadonlyMap<string, string> | undefined;
}

/** State shared by the three stages of an import: read, look up, upload. */
export function openPipeline(options: ImportOptions) {
  const shutdown = openShutdown(options);
  const stats = openImportStats(options);
  const condition = openCondition();
  const held = { entries: 0, bytes: 0 };
  shutdown.graceful.addEventListener("abort", condition.notifyAll);

  const stopped = () => shutdown.graceful.aborted;
  const heldBy = (entry: Entry) => (entry.bytes <= keptBytes ? entry.bytes : 0);
  const fits = (entry: Entry) =>
    held.entries < ahead.entries && (held.bytes === 0 || held.bytes + heldBy(entry) <= ahead.bytes);

  return {
    ...options,
    shutdown,
    stats,
    condition,
    stopped,
    /** Hashed entries that wait for the look-up. */
    hashed: [] as HashedEntry[],
    /** Entries that wait for the upload. */
    missing: [] as HashedEntry[],
    /** Number of recordings being read. */
    reading: 0,
    ended: { reading: false, lookingUp: false },

    /** Waits for room in the read-ahead buffer. The caller must release the entry, unless the import stops. */
    async take(entry: Entry): Promise<void> {
      await condition.waitUntil(() => stopped() || fits(entry));
      held.entries++;
      held.bytes += heldBy(entry);
    },
    release(entry: Entry): void {
      held.entries--;
      held.bytes -= heldBy(entry);
      condition.notifyAll();
    },
    /** Handles an error of one entry. A fatal error stops the import. */
    failed(entry: Entry, error: unknown): void {
      if (stopped() && !(error instanceof EntryError)) return;
      if (!(error instanceof EntryError) && isFatal(error)) shutdown.stop(error);
      else stats.failed(entry, error);
    },
  };
}
export type Pipeline = ReturnType<typeof openPipeline>;
