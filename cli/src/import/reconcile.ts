import { type Client, ServiceError } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import { type Buffers, openBuffers } from "./buffers.ts";
import { EntryError } from "./entry-error.ts";
import { entryKey } from "./entry-key.ts";
import { explainFailure } from "./explain-failure.ts";
import { fingerprintOf } from "./fingerprint-of.ts";
import type { Journal } from "./journal.ts";
import type { Pace } from "./pace.ts";
import { readRecording } from "./read-recording.ts";
import { type Found, openReport, type Reconciliation, type ReportOptions, type Row } from "./reconciliation-report.ts";
import { concernsAll, openStopping, type StopOptions, type Stopping } from "./stopping.ts";

const atOnce = { lookUp: 1_000, readers: 4 };

export interface ReconcileOptions extends StopOptions, ReportOptions {
  /** Its retries should be off: the pace does it. */
  readonly client: Client;
  readonly entries: AsyncIterable<Entry>;
  readonly pace: Pace;
}

/** Compares every entry with the service. */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  const stopping = openStopping(options);
  const report = openReport(options);
  try {
    let judging = Promise.resolve();
    for await (const rows of inBatches(options.entries, stopping)) {
      const read = await readRows(rows, options.journal);
      // The next rows are read while the service looks these up.
      await judging;
      judging = lookUp(read, options, stopping).then((found) => report.add(read, found));
      judging.catch(() => {});
    }
    await judging;
  } catch (error) {
    stopping.stop(error);
  }
  stopping.end();
  return report.end();
}

async function* inBatches(entries: AsyncIterable<Entry>, { gently }: Stopping): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  for await (const entry of entries) {
    if (gently.aborted) return;
    batch.push(entry);
    if (batch.length < atOnce.lookUp) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function readRows(entries: readonly Entry[], journal: Journal | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  const buffers = openBuffers(atOnce.readers * 1024 * 1024);
  let next = 0;
  async function lane(): Promise<void> {
    for (let at = next++; at < entries.length; at = next++) {
      const entry = entries[at];
      if (entry) rows[at] = await readRow(entry, journal, buffers);
    }
  }
  await Promise.all(Array.from({ length: atOnce.readers }, lane));
  return rows;
}

async function readRow(entry: Entry, journal: Journal | undefined, buffers: Buffers): Promise<Row> {
  const key = entryKey(entry);
  const noted = journal?.read(key)?.sha256;
  if (noted) return { entry, key, sha256: noted };
  try {
    const { sha256, free } = await readRecording(entry, buffers);
    free();
    return { entry, key, sha256 };
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    return { entry, key, sha256: undefined, unreadable: error.message };
  }
}

/** In the order of the rows; undefined for those whose recording cannot be read. */
async function lookUp(
  rows: readonly Row[],
  { client, pace }: ReconcileOptions,
  { gently, atOnce }: Stopping,
): Promise<(Found | undefined)[]> {
  const fingerprints = rows.flatMap(({ entry, sha256 }) => (sha256 ? [fingerprintOf(entry, sha256)] : []));
  const ask = async (asked: typeof fingerprints): Promise<Found[]> => {
    if (asked.length === 0) return [];
    try {
      return await pace.run(() => client.calls.lookUp(asked, { signal: atOnce }), { signal: gently });
    } catch (error) {
      if (!(error instanceof ServiceError) || concernsAll(error)) throw error;
      // Too many of the longest names, or one of them is wrong: in the end it is said of that one.
      if (asked.length === 1) return [{ status: "missing", id: null, refused: explainFailure(error).reason }];
      const half = Math.ceil(asked.length / 2);
      return [...(await ask(asked.slice(0, half))), ...(await ask(asked.slice(half)))];
    }
  };
  const found = (await ask(fingerprints)).values();
  return rows.map(({ sha256 }) => (sha256 ? found.next().value : undefined));
}
