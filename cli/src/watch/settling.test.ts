import { expect, test } from "vitest";
import { openSettling } from "./settling.ts";

const looks = (bytes: number, modifiedMs = 1) => ({ bytes, modifiedMs });

test("counts from when a file was first seen like this, whatever its own time says", () => {
  const settling = openSettling({ settleMs: 10, most: 10 });
  expect(settling.unchangedMs("a", looks(1, 999_999), 100)).toBe(0);
  expect(settling.unchangedMs("a", looks(1, 999_999), 109)).toBe(9);
  expect(settling.unchangedMs("a", looks(2, 999_999), 110)).toBe(0);
  expect(settling.unchangedMs("a", looks(2, 999_998), 115)).toBe(0);
  expect(settling.unchangedMs("a", looks(2, 999_998), 125)).toBe(10);
  expect([settling.isSettled(9), settling.isSettled(10)]).toEqual([false, true]);
});

test("remembers no more files than it may, and others when there is room again", () => {
  const settling = openSettling({ settleMs: 10, most: 2 });
  for (const path of ["a", "b"]) settling.unchangedMs(path, looks(1), 0);
  expect([settling.isFull, settling.unchangedMs("c", looks(1), 1)]).toEqual([true, undefined]);
  expect(settling.unchangedMs("a", looks(2), 1)).toBe(0);
  settling.forget("b");
  expect(settling.unchangedMs("c", looks(1), 2)).toBe(0);
  expect(settling.paths()).toEqual(["a", "c"]);
});
