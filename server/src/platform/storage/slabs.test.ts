import { expect, test } from "vitest";
import { openSlabs, type Slabs } from "./slabs.ts";

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Takes as many as the owner can have at once; gives those and how many wait. */
async function takeMany(slabs: Slabs, owner: string, count: number) {
  const had: Uint8Array[] = [];
  for (let n = 0; n < count; n++) void slabs.take(owner).then((slab) => had.push(slab));
  await soon();
  return had;
}

test("one owner alone has two thirds of them", async () => {
  expect(await takeMany(openSlabs(26, 1), "a", 100)).toHaveLength(18);
});

test("whoever comes when another has all it may have finds some", async () => {
  const slabs = openSlabs(26, 1);
  const counts: number[] = [];
  for (const owner of ["a", "b", "c"]) counts.push((await takeMany(slabs, owner, 100)).length);
  expect(counts).toEqual([18, 6, 2]);
});

test("what is given back goes to whoever has the least, then to whoever came first", async () => {
  const slabs = openSlabs(6, 1);
  const order: string[] = [];
  const ask = (owner: string) => slabs.take(owner).then(() => order.push(owner));
  const [first] = await takeMany(slabs, "a", 4);
  await takeMany(slabs, "b", 2);
  for (const owner of ["a", "b", "c", "d"]) void ask(owner);
  await soon();
  expect(order).toEqual([]);
  slabs.giveBack("a", first as Uint8Array);
  await soon();
  expect(order).toEqual(["c"]);
});

test("a buffer is used again, and no more are made than there may be", async () => {
  const slabs = openSlabs(3, 8);
  const seen = new Set<Uint8Array>();
  for (let n = 0; n < 20; n++) {
    const slab = await slabs.take("a");
    seen.add(slab);
    slabs.giveBack("a", slab);
  }
  expect(seen.size).toBe(1);
});

test("everybody who waits is served in the end", async () => {
  const slabs = openSlabs(4, 1);
  let served = 0;
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const owner = String(n % 7);
      const slab = await slabs.take(owner);
      await soon();
      slabs.giveBack(owner, slab);
      served += 1;
    }),
  );
  expect(served).toBe(200);
});
