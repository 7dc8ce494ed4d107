import { type Client, ServiceError } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import { type BufferPool, openBufferPool } from "./buffer-pool.ts";
import type { AdaptiveConcurrency } from "./concurrency/adaptive-concurrency.ts";
import { EntryError } from "./entry-error.ts";
import { entryKey } from "./entry-key.ts";
import { explainFailure } from "./explain-failure.ts";
import { fingerprintOf } from "./fingerprint-of.ts";
import type { Journal } from "./journal/journal.ts";
import { readRecording } from "./read-recording.ts";
import { type Found, openReport, type Reconciliation, type ReportOptions, type Row } from "./reconciliation-report.ts";
import { isFatal, openShutdown, type Shutdown, type StopOptions } from "./shutdown.ts";

const atOnce = { lookUp: 1_000, readers: 4 };

export interface ReconcileOptions extends StopOptions, ReportOptions {
  /** Must have retries off: AdaptiveConcurrency retries. */
  readonly client: Client;
  readonly entries: AsyncIterable<Entry>;
  readonly concurrency: AdaptiveConcurrency;
}

/** Compares every entry with the service. */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  const shutdown = openShutdown(options);
  const report = openReport(options);
  try {
    let lookUps = Promise.resolve();
    for await (const rows of inBatches(options.entries, shutdown)) {
      const read = await readRows(rows, options.journal);
      // Read the next batch while the service looks up this one.
      await lookUps;
      lookUps = lookUp(read, options, shutdown).then((found) => report.add(read, found));
      lookUps.catch(() => {});
    }
    await lookUps;
  } catch (error) {
    shutdown.stop(error);
  }
  shutdown.end();
  return report.end();
}

async function* inBatches(entries: AsyncIterable<Entry>, { graceful }: Shutdown): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  for await (const entry of entries) {
    if (graceful.aborted) return;
    batch.push(entry);
    if (batch.length < atOnce.lookUp) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function readRows(entries: readonly Entry[], journal: Journal | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  const buffers = openBufferPool(atOnce.readers * 1024 * 1024);
  let next = 0;
  async function worker(): Promise<void> {
    for (let at = next++; at < entries.length; at = next++) {
      const entry = entries[at];
      if (entry) rows[at] = await readRow(entry, journal, buffers);
    }
  }
  await Promise.all(Array.from({ length: atOnce.readers }, worker));
  return rows;
}

async function readRow(entry: Entry, journal: Journal | undefined, buffers: BufferPool): Promise<Row> {
  const key = entryKey(entry);
  const journalled = journal?.read(key)?.sha256;
  if (journalled) return { entry, key, sha256: journalled };
  try {
    const { sha256, free } = await readRecording(entry, buffers);
    free();
    return { entry, key, sha256 };
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    return { entry, key, sha256: undefined, unreadable: error.message };
  }
}

/** Results in row order; undefined for rows whose recording cannot be read. */
async function lookUp(
  rows: readonly Row[],
  { client, concurrency }: ReconcileOptions,
  { graceful, immediate }: Shutdown,
): Promise<(Found | undefined)[]> {
  const fingerprints = rows.flatMap(({ entry, sha256 }) => (sha256 ? [fingerprintOf(entry, sha256)] : []));
  const ask = async (asked: typeof fingerprints): Promise<Found[]> => {
    if (asked.length === 0) return [];
    try {
      return await concurrency.run(() => client.calls.lookUp(asked, { signal: immediate }), { signal: graceful });
    } catch (error) {
      if (!(error instanceof ServiceError) || isFatal(error)) throw error;
      // The body is too large or one fingerprint is invalid. Bisect to find it.
      if (asked.length === 1) return [{ status: "missing", id: null, refused: explainFailure(error).reason }];
      const half = Math.ceil(asked.length / 2);
      return [...(await ask(asked.slice(0, half))), ...(await ask(asked.slice(half)))];
    }
  };
  const found = (await ask(fingerprints)).values();
  return rows.map(({ sha256 }) => (sha256 ? found.next().value : undefined));
}
