import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openSemaphore } from "./semaphore.ts";

test("runs at most so many at a time, in the order of the calls", async () => {
  const limit = openSemaphore({ concurrent: 2 });
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = async (n: number) => {
    order.push(n);
    most = Math.max(most, ++running);
    await sleep(1);
    running -= 1;
    return n;
  };
  const all = [0, 1, 2, 3, 4];
  expect(await Promise.all(all.map((n) => limit(() => work(n))))).toEqual(all);
  expect([most, order]).toEqual([2, all]);
});

test("a failure frees its slot", async () => {
  const limit = openSemaphore({ concurrent: 1 });
  const refuse = async () => {
    throw new Error("refused");
  };
  const outcomes = await Promise.allSettled([limit(refuse), limit(async () => "ok")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(await limit(async () => "ok")).toBe("ok");
});

test("refuses callers while the queue is full", async () => {
  const limit = openSemaphore({ concurrent: 1, queued: 1, whenFull: () => new Error("busy") });
  const running = Promise.withResolvers<void>();
  const accepted = [limit(() => running.promise), limit(async () => {})];
  await expect(limit(async () => {})).rejects.toThrow("busy");
  running.resolve();
  await Promise.all(accepted);
  await limit(async () => {});
});
