import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openWriteBehind, type WriteBehindOptions } from "./write-behind.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Entry = readonly [string, number];

/** A buffer that adds numbers per key and logs its batches. `failing` keys cannot be written. */
function openSums(options: Partial<WriteBehindOptions<string, number>> = {}) {
  const batches: Entry[][] = [];
  const failing = new Set<string>();
  const buffer = openWriteBehind<string, number>({
    intervalMs: 1_000,
    merge: (buffered, added) => buffered + added,
    async write(batch) {
      batches.push([...batch]);
      return batch.filter(([key]) => failing.has(key));
    },
    ...options,
  });
  return { buffer, batches, failing };
}

test("merges values and writes them once, after the interval", async () => {
  const { buffer, batches } = openSums();
  for (const key of ["a", "b", "a"]) buffer.add(key, 1);
  await vi.advanceTimersByTimeAsync(999);
  expect(batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([
    [
      ["a", 2],
      ["b", 1],
    ],
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(batches).toHaveLength(1);
});

test("retries what could not be written, merged with what was added meanwhile", async () => {
  const { buffer, batches, failing } = openSums();
  failing.add("a");
  buffer.add("a", 1);
  buffer.add("b", 1);
  await vi.advanceTimersByTimeAsync(1_000);
  buffer.add("a", 5);
  failing.clear();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches.at(-1)).toEqual([["a", 6]]);
});

test("keeps retrying at the interval although nothing is added", async () => {
  const { buffer, batches, failing } = openSums();
  failing.add("a");
  buffer.add("a", 1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(batches).toHaveLength(3);
});

test("close writes what is buffered, and stops even if that fails", async () => {
  const { buffer, batches, failing } = openSums();
  failing.add("a");
  buffer.add("a", 1);
  await buffer.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(batches).toEqual([[["a", 1]]]);
  expect(vi.getTimerCount()).toBe(0);
});

test("writes one batch at a time, and values added during a write go into the next one", async () => {
  const first = Promise.withResolvers<Entry[]>();
  const batches: Entry[][] = [];
  const write = async (batch: readonly Entry[]) => {
    batches.push([...batch]);
    return batches.length === 1 ? first.promise : [];
  };
  const { buffer } = openSums({ write });
  buffer.add("a", 1);
  const flushed = buffer.flush();
  await vi.advanceTimersByTimeAsync(0);
  buffer.add("a", 2);
  const closed = buffer.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(batches).toEqual([[["a", 1]]]);
  first.resolve([]);
  await Promise.all([flushed, closed]);
  expect(batches).toEqual([[["a", 1]], [["a", 2]]]);
});

test("when full, existing keys still count, and a new one counts as its substitute or is dropped", async () => {
  const whenFull = (value: number) => (value === 1 ? (["other", 2] as const) : undefined);
  const { buffer, batches } = openSums({ maxEntries: 2, whenFull });
  for (const key of ["other", "a", "a", "b", "c"]) buffer.add(key, 1);
  buffer.add("d", 7);
  expect(buffer.size()).toBe(2);
  await buffer.close();
  expect(batches).toEqual([
    [
      ["other", 5],
      ["a", 2],
    ],
  ]);
});
