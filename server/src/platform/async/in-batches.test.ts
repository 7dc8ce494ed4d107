import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

test("items added during a batch share the next one", async () => {
  const batches: number[][] = [];
  const add = inBatches(async (items: number[]) => {
    await sleep(5);
    batches.push([...items]);
  });
  const first = add(1);
  await sleep(1);
  await Promise.all([first, add(2), add(3), add(4)]);
  await add(5);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test("a failed batch rejects only its own items", async () => {
  const add = inBatches(async (items: string[]) => {
    await sleep(2);
    if (items.includes("bad")) throw new Error("refused");
  });
  const outcomes = await Promise.allSettled([add("bad"), sleep(1).then(() => add("good"))]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "fulfilled"]);
});
