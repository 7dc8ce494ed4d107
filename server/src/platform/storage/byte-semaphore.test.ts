import fc from "fast-check";
import { expect, test } from "vitest";
import { openByteSemaphore } from "./byte-semaphore.ts";

const soon = () => new Promise((resolve) => setImmediate(resolve));

test("one owner gets two thirds, the next owner two thirds of the rest", async () => {
  const semaphore = openByteSemaphore(900);
  expect(await semaphore.take("a", 1, 10_000)).toBe(600);
  expect(await semaphore.take("b", 1, 10_000)).toBe(200);
});

test("grants less than the maximum if memory is short, but never less than the minimum", async () => {
  const semaphore = openByteSemaphore(900);
  const waiting = semaphore.take("a", 601, 700).then(() => "granted");
  expect(await Promise.race([waiting, soon()])).toBeUndefined();
  expect(await semaphore.take("b", 100, 700)).toBe(600);
});

test("returned bytes go to the owner that holds the fewest, then to the longest waiting", async () => {
  const semaphore = openByteSemaphore(90);
  await semaphore.take("a", 60, 60);
  await semaphore.take("b", 20, 20);
  const order: string[] = [];
  for (const owner of ["a", "b", "c", "d"]) void semaphore.take(owner, 20, 20).then(() => order.push(owner));
  await soon();
  expect(order).toEqual([]);
  semaphore.giveBack("a", 30);
  await soon();
  expect(order).toEqual(["c"]);
});

test("never grants more than the total and serves all waiting owners eventually", async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 300 })), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, async (requests) => {
      const semaphore = openByteSemaphore(1_000);
      let granted = 0;
      let served = 0;
      const held: [string, number][] = [];
      for (const [owner, max] of requests) {
        void semaphore.take(owner, Math.min(max, 100), max).then((bytes) => {
          expect(bytes).toBeLessThanOrEqual(max);
          granted += bytes;
          served += 1;
          expect(granted).toBeLessThanOrEqual(1_000);
          held.push([owner, bytes]);
        });
      }
      for (;;) {
        await soon();
        const next = held.pop();
        if (!next) break;
        granted -= next[1];
        semaphore.giveBack(...next);
      }
      expect([served, granted]).toEqual([requests.length, 0]);
    }),
  );
});
