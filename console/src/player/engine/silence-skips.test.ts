import { expect, test } from "vitest";
import { seekBackFrom, skipFrom, skippedMs, skipsOf } from "./silence-skips.ts";

const skips = skipsOf(
  [
    [3000, 5000],
    [6000, 7000],
    [16_000, 17_000],
  ],
  30_000,
);

test("skips long silences and keeps a margin", () => {
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
])("at %d ms playback jumps to %j", (ms, to) => {
  expect(skipFrom(skips, ms)).toBe(to);
});

test("skips a silent call to its end", () => {
  expect(skipsOf([], 4000)).toEqual([[0, 4000]]);
});

test.each([
  ["within speech", 6500, 1000, 5500],
  ["across a silence", 16_750, 5000, 3350],
  ["from the end of a silence", 15_750, 1000, 6350],
  ["from within a silence", 10_000, 1000, 6350],
  ["across several silences to the start", 20_000, 10_000, 0],
])("seeks back %s", (_, ms, byMs, to) => {
  expect(seekBackFrom(skips, ms, byMs)).toBe(to);
});
