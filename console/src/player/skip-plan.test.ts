import { expect, test } from "vitest";
import { backFrom, skipFrom, skippedMs, skipsOf } from "./skip-plan.ts";

const skips = skipsOf(
  [
    [3000, 5000],
    [6000, 7000],
    [16_000, 17_000],
  ],
  30_000,
);

test("long silences are jumped over, and a breath stays", () => {
  expect(skips).toEqual([
    [0, 2750],
    [7350, 15_750],
    [17_350, 30_000],
  ]);
  expect(skippedMs(skips)).toBe(2750 + 8400 + 12_650);
});

test.each([
  [0, 2750],
  [2700, undefined],
  [4000, undefined],
  [5500, undefined],
  [7349, undefined],
  [7350, 15_750],
  [20_000, 30_000],
])("at %d ms it goes on at %j", (ms, to) => {
  expect(skipFrom(skips, ms)).toBe(to);
});

test("a call in which nobody speaks is skipped to its end", () => {
  expect(skipsOf([], 4000)).toEqual([[0, 4000]]);
});

test.each([
  ["within what is said", 6500, 1000, 5500],
  ["to before a silence", 16_750, 5000, 3350],
  ["from the end of a silence to before it", 15_750, 1000, 6350],
  ["from within a silence to before it", 10_000, 1000, 6350],
  ["past several silences to the beginning", 20_000, 10_000, 0],
])("going back goes %s", (_, ms, byMs, to) => {
  expect(backFrom(skips, ms, byMs)).toBe(to);
});
