import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inBatches, inBatchesByKey } from "./in-batches.ts";

/** A batcher whose batches end on demand. */
function openBatches(options?: Parameters<typeof inBatches>[1]) {
  const batches: { items: number[]; end: () => void }[] = [];
  const add = inBatches(
    (items: number[]) =>
      new Promise<number>((resolve) => {
        batches.push({ items: [...items], end: () => resolve(items.length) });
      }),
    options,
  );
  const endNext = async () => {
    await sleep(1);
    const batch = batches.find(({ end }) => end !== ended);
    if (!batch) throw new Error("no batch is running");
    batch.end();
    batch.end = ended;
    await sleep(1);
  };
  return { add, endNext, items: () => batches.map(({ items }) => items) };
}
const ended = () => {};

test("items added during a batch share the next one, and its result", async () => {
  const { add, endNext, items } = openBatches();
  const first = add(1);
  await sleep(1);
  const others = [add(2), add(3), add(4)];
  await endNext();
  await endNext();
  const last = add(5);
  await endNext();
  expect(items()).toEqual([[1], [2, 3, 4], [5]]);
  expect(await Promise.all([first, ...others, last])).toEqual([1, 3, 3, 3, 1]);
});

test("a failed batch rejects only its own items", async () => {
  const add = inBatches(async (items: string[]) => {
    await sleep(2);
    if (items.includes("bad")) throw new Error("refused");
  });
  const outcomes = await Promise.allSettled([add("bad"), sleep(1).then(() => add("good"))]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "fulfilled"]);
});

test("more items than fit in a batch go to further ones, one at a time", async () => {
  const { add, endNext, items } = openBatches({ maxItems: 2 });
  const all = [add(1)];
  await sleep(1);
  all.push(...[2, 3, 4, 5, 6].map(add));
  for (const running of [1, 2, 3, 4]) {
    await sleep(1);
    expect(items()).toHaveLength(running);
    await endNext();
  }
  await Promise.all(all);
  expect(items()).toEqual([[1], [2, 3], [4, 5], [6]]);
});

test("a batch that takes too long does not hold the next one back", async () => {
  const { add, endNext, items } = openBatches({ maxWaitMs: 20 });
  const stuck = add(1);
  await sleep(1);
  const next = add(2);
  await sleep(5);
  expect(items()).toEqual([[1]]);
  await sleep(30);
  expect(items()).toEqual([[1], [2]]);
  await endNext();
  await endNext();
  expect(await Promise.all([stuck, next])).toEqual([1, 1]);
});

test("keys do not share batches, and do not wait for each other", async () => {
  const batches: [string, number[]][] = [];
  const add = inBatchesByKey(async (key: string, items: number[]) => {
    await sleep(key === "slow" ? 30 : 2);
    batches.push([key, [...items]]);
    return items.length;
  });
  const slow = add("slow", 1);
  await add("a", 1);
  const sizes = await Promise.all([add("a", 2), add("b", 3), add("a", 4)]);
  expect(batches).toEqual([
    ["a", [1]],
    ["a", [2, 4]],
    ["b", [3]],
  ]);
  expect(sizes).toEqual([2, 1, 2]);
  await slow;
});
