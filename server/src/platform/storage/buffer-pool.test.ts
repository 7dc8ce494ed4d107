import { expect, test } from "vitest";
import { type BufferPool, openBufferPool } from "./buffer-pool.ts";

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Requests `count` buffers and returns those granted immediately. */
async function takeMany(pool: BufferPool, owner: string, count: number) {
  const granted: Uint8Array[] = [];
  for (let n = 0; n < count; n++) void pool.take(owner).then((buffer) => granted.push(buffer));
  await soon();
  return granted;
}

test("a single owner gets two thirds of the buffers", async () => {
  expect(await takeMany(openBufferPool(26, 1), "a", 100)).toHaveLength(18);
});

test("there are buffers left for another owner", async () => {
  const pool = openBufferPool(26, 1);
  const counts: number[] = [];
  for (const owner of ["a", "b", "c"]) counts.push((await takeMany(pool, owner, 100)).length);
  expect(counts).toEqual([18, 6, 2]);
});

test("a returned buffer goes to the owner with the fewest buffers, then to the longest waiting", async () => {
  const pool = openBufferPool(6, 1);
  const order: string[] = [];
  const ask = (owner: string) => pool.take(owner).then(() => order.push(owner));
  const [first] = await takeMany(pool, "a", 4);
  await takeMany(pool, "b", 2);
  for (const owner of ["a", "b", "c", "d"]) void ask(owner);
  await soon();
  expect(order).toEqual([]);
  pool.giveBack("a", first as Uint8Array);
  await soon();
  expect(order).toEqual(["c"]);
});

test("reuses buffers", async () => {
  const pool = openBufferPool(3, 8);
  const seen = new Set<Uint8Array>();
  for (let n = 0; n < 20; n++) {
    const buffer = await pool.take("a");
    seen.add(buffer);
    pool.giveBack("a", buffer);
  }
  expect(seen.size).toBe(1);
});

test("serves all waiting owners eventually", async () => {
  const pool = openBufferPool(4, 1);
  let served = 0;
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const owner = String(n % 7);
      const buffer = await pool.take(owner);
      await soon();
      pool.giveBack(owner, buffer);
      served += 1;
    }),
  );
  expect(served).toBe(200);
});
