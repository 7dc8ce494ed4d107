import { expect, test } from "vitest";
import { openSettling } from "./settling.ts";

const looks = (bytes: number, modifiedMs = 1) => ({ bytes, modifiedMs });

test("measures from the first observation, not from the file's modification time", () => {
  const settling = openSettling({ settleMs: 10, max: 10 });
  expect(settling.unchangedMs("a", looks(1, 999_999), 100)).toBe(0);
  expect(settling.unchangedMs("a", looks(1, 999_999), 109)).toBe(9);
  expect(settling.unchangedMs("a", looks(2, 999_999), 110)).toBe(0);
  expect(settling.unchangedMs("a", looks(2, 999_998), 115)).toBe(0);
  expect(settling.unchangedMs("a", looks(2, 999_998), 125)).toBe(10);
  expect([settling.isSettled(9), settling.isSettled(10)]).toEqual([false, true]);
});

test("tracks a limited number of files", () => {
  const settling = openSettling({ settleMs: 10, max: 2 });
  for (const path of ["a", "b"]) settling.unchangedMs(path, looks(1), 0);
  expect([settling.isFull, settling.unchangedMs("c", looks(1), 1)]).toEqual([true, undefined]);
  expect(settling.unchangedMs("a", looks(2), 1)).toBe(0);
  settling.forget("b");
  expect(settling.unchangedMs("c", looks(1), 2)).toBe(0);
  expect(settling.paths()).toEqual(["a", "c"]);
});
