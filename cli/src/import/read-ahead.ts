import { setImmediate, setTimeout } from "node:timers/promises";
import type { Entry } from "../manifest/entry.ts";
import { openBufferPool } from "./buffer-pool.ts";
import { entryKey } from "./entry-key.ts";
import { ahead, type Pipeline } from "./pipeline.ts";
import { checkUnchanged, quietTimeLeftMs, readRecording } from "./read-recording.ts";

const readers = 4;
/** Yield to the event loop after this many skipped entries, for signals and the progress bar. */
const yieldEvery = 500;

/** First stage of the pipeline: reads and hashes the recordings that are not in the journal. */
export async function readAhead(pipeline: Pipeline): Promise<void> {
  const { journal, stats, condition, shutdown, stopped } = pipeline;
  const buffers = openBufferPool(ahead.bytes);
  const freshReads = new Set<Promise<void>>();
  let skipped = 0;

  async function read(entry: Entry, key: string): Promise<void> {
    pipeline.reading++;
    try {
      pipeline.hashed.push({ entry, key, read: await readRecording(entry, buffers) });
    } catch (error) {
      pipeline.failed(entry, error);
      pipeline.release(entry);
    }
    pipeline.reading--;
    condition.notifyAll();
  }

  /** Waits until a fresh recording is quiet. A partial recording would become a separate call. */
  async function readWhenQuiet(entry: Entry, key: string, waitMs: number): Promise<void> {
    try {
      await setTimeout(waitMs, undefined, { signal: shutdown.graceful });
      checkUnchanged(entry, "since the manifest was read");
    } catch (error) {
      pipeline.failed(entry, error);
      return pipeline.release(entry);
    }
    await read(entry, key);
  }

  async function readOrSkip(entry: Entry): Promise<void> {
    const key = entryKey(entry);
    const known = journal.find(key);
    if (known) {
      stats.completedEarlier(entry, known);
      if (++skipped % yieldEvery === 0) await setImmediate();
      return;
    }
    await pipeline.take(entry);
    if (stopped()) return;
    const waitMs = quietTimeLeftMs(entry);
    if (waitMs === 0) return read(entry, key);
    // Fresh recordings wait concurrently and do not block the others.
    const waiting = readWhenQuiet(entry, key, waitMs)
      .catch(shutdown.stop)
      .finally(() => freshReads.delete(waiting));
    freshReads.add(waiting);
  }

  async function worker(iterator: AsyncIterator<Entry>): Promise<void> {
    for (let next = await iterator.next(); !next.done && !stopped(); next = await iterator.next())
      await readOrSkip(next.value);
  }

  const iterator = pipeline.entries[Symbol.asyncIterator]();
  await Promise.all(Array.from({ length: readers }, () => worker(iterator)));
  await Promise.all(freshReads);
  if (stopped()) await iterator.return?.();
  pipeline.ended.reading = true;
  condition.notifyAll();
}
