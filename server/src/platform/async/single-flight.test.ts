import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cacheResult, once, openSingleFlight } from "./single-flight.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that counts its runs and is finished by hand. */
function countedWork() {
  const runs: PromiseWithResolvers<number>[] = [];
  const work = () => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  };
  return { work, runs, finish: () => runs.at(-1)?.resolve(runs.length) };
}

test("concurrent callers share a run, and without a TTL the next caller starts another", async () => {
  const { work, runs, finish } = countedWork();
  const flight = openSingleFlight<number>();
  const both = [flight.run("a", work), flight.run("a", work)];
  finish();
  expect(await Promise.all(both)).toEqual([1, 1]);
  void flight.run("a", work);
  expect(runs).toHaveLength(2);
});

test("keys do not share runs", async () => {
  const { work, runs } = countedWork();
  const flight = openSingleFlight<number>();
  void flight.run("a", work);
  void flight.run("b", work);
  expect(runs).toHaveLength(2);
});

test("the TTL starts when the result arrives", async () => {
  const { work, runs, finish } = countedWork();
  const read = cacheResult(1_000, work);
  const first = read();
  await vi.advanceTimersByTimeAsync(5_000);
  finish();
  await first;
  await vi.advanceTimersByTimeAsync(999);
  expect([await read(), runs.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1);
  void read();
  expect(runs).toHaveLength(2);
});

test("the TTL can depend on the result", async () => {
  const results = [false, true];
  const work = vi.fn(async () => results.shift() ?? true);
  const read = cacheResult((done) => (done ? Number.POSITIVE_INFINITY : 100), work);
  expect([await read(), await read()]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await read()).toBe(true);
  await vi.advanceTimersByTimeAsync(1e9);
  expect(await read()).toBe(true);
  expect(work).toHaveBeenCalledTimes(2);
});

test("a run that is older than the maximum age is no longer shared, even while it is in progress", async () => {
  const { work, runs } = countedWork();
  const flight = openSingleFlight<number>({ ttlMs: Number.POSITIVE_INFINITY, maxAgeMs: 500 });
  const slow = flight.run("a", work);
  await vi.advanceTimersByTimeAsync(500);
  const fresh = flight.run("a", work);
  runs[0]?.resolve(1);
  runs[1]?.resolve(2);
  expect([await slow, await fresh, await flight.run("a", work)]).toEqual([1, 2, 2]);
  expect(runs).toHaveLength(2);
});

test("failures are not cached and reach every caller of the run", async () => {
  const work = vi.fn(async () => "ok");
  work.mockRejectedValueOnce(new Error("no"));
  const read = once(work);
  const outcomes = await Promise.allSettled([read(), read()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([await read(), await read()]).toEqual(["ok", "ok"]);
  expect(work).toHaveBeenCalledTimes(2);
});

test("work that throws before it starts leaves no entry", async () => {
  const flight = openSingleFlight<string>({ ttlMs: 1_000 });
  const refuse = () => {
    throw new Error("refused");
  };
  expect(() => flight.run("a", refuse)).toThrow("refused");
  expect(await flight.run("a", async () => "ok")).toBe("ok");
});

test("evicts the oldest entry when full", async () => {
  const work = vi.fn(async () => "ok");
  const flight = openSingleFlight<string>({ ttlMs: Number.POSITIVE_INFINITY, maxEntries: 2 });
  for (const key of ["a", "b", "c", "b", "c"]) await flight.run(key, work);
  expect(work).toHaveBeenCalledTimes(3);
  await flight.run("a", work);
  expect(work).toHaveBeenCalledTimes(4);
});
