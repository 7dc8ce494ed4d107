import { expect, test } from "vitest";
import { hashOf, openHashSet } from "./hash-set.ts";

test("stores exactly the added names with their values", () => {
  const set = openHashSet();
  const count = 300_000;
  for (let at = 0; at < count; at++) set.add(hashOf(`2024/05/call-${at}.wav`), { line: at, mark: at * 2 });
  expect(set.size).toBe(count);
  let wrong = 0;
  for (let at = 0; at < count; at++) {
    const kept = set.get(hashOf(`2024/05/call-${at}.wav`));
    if (kept?.line !== at || kept.mark !== at * 2) wrong++;
    if (set.get(hashOf(`2024/06/call-${at}.wav`))) wrong++;
  }
  expect(wrong).toBe(0);
});

test("keeps the first value", () => {
  const set = openHashSet();
  set.add(hashOf("a"), { line: 1, mark: 10 });
  set.add(hashOf("a"), { line: 2, mark: 20 });
  expect(set.get(hashOf("a"))).toEqual({ line: 1, mark: 10 });
  expect(set.size).toBe(1);
});

test("distinguishes an all-zero hash from a free slot", () => {
  const set = openHashSet();
  expect(set.get({ high: 0, low: 0 })).toBeUndefined();
  set.add({ high: 0, low: 0 }, { line: 7, mark: 0 });
  expect(set.get({ high: 0, low: 0 })).toEqual({ line: 7, mark: 0 });
});

test("distributes similar names over all 64 bits", () => {
  const hashes = Array.from({ length: 1000 }, (_, at) => hashOf(`call-${at}.wav`));
  for (const part of ["high", "low"] as const)
    for (let bit = 0; bit < 32; bit++) {
      const set = hashes.filter((hash) => (hash[part] >>> bit) & 1).length;
      expect(set).toBeGreaterThan(400);
      expect(set).toBeLessThan(600);
    }
});
