import { setImmediate, setTimeout } from "node:timers/promises";
import type { Entry } from "../manifest/entry.ts";
import { openBuffers } from "./buffers.ts";
import { entryKey } from "./entry-key.ts";
import { ahead, type Pipeline } from "./pipeline.ts";
import { checkUnchanged, freshForMs, readRecording } from "./read-recording.ts";

const readers = 4;
/** After so many entries that need nothing, others get a turn: signals, a progress bar. */
const breathAfter = 500;

/** The first part of an import: reads what no run before has done, as far ahead as there is room. */
export async function readAhead(pipeline: Pipeline): Promise<void> {
  const { journal, tally, gate, stopping, stopped } = pipeline;
  const buffers = openBuffers(ahead.bytes);
  const fresh = new Set<Promise<void>>();
  let skipped = 0;

  async function read(entry: Entry, key: string): Promise<void> {
    pipeline.reading++;
    try {
      pipeline.hashed.push({ entry, key, read: await readRecording(entry, buffers) });
    } catch (error) {
      pipeline.failed(entry, error);
      pipeline.letGo(entry);
    }
    pipeline.reading--;
    gate.wake();
  }

  /** Half a recording would be a call of its own, beside the whole one. */
  async function readWhenQuiet(entry: Entry, key: string, waitMs: number): Promise<void> {
    try {
      await setTimeout(waitMs, undefined, { signal: stopping.gently });
      checkUnchanged(entry, "since the manifest was read");
    } catch (error) {
      pipeline.failed(entry, error);
      return pipeline.letGo(entry);
    }
    await read(entry, key);
  }

  async function prepare(entry: Entry): Promise<void> {
    const key = entryKey(entry);
    const known = journal.find(key);
    if (known) {
      tally.earlier(entry, known);
      if (++skipped % breathAfter === 0) await setImmediate();
      return;
    }
    await pipeline.take(entry);
    if (stopped()) return;
    const waitMs = freshForMs(entry);
    if (waitMs === 0) return read(entry, key);
    // All of them wait at the same time, and those behind them need not.
    const waiting = readWhenQuiet(entry, key, waitMs)
      .catch(stopping.stop)
      .finally(() => fresh.delete(waiting));
    fresh.add(waiting);
  }

  async function lane(iterator: AsyncIterator<Entry>): Promise<void> {
    for (let next = await iterator.next(); !next.done && !stopped(); next = await iterator.next())
      await prepare(next.value);
  }

  const iterator = pipeline.entries[Symbol.asyncIterator]();
  await Promise.all(Array.from({ length: readers }, () => lane(iterator)));
  await Promise.all(fresh);
  if (stopped()) await iterator.return?.();
  pipeline.ended.reading = true;
  gate.wake();
}
