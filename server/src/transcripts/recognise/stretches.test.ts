import { expect, test } from "vitest";
import { gapMs, longestStretchMs, makeStretches, packStretches, unpackTime, unpackWord } from "./stretches.ts";

const middle = (startMs: number, endMs: number) => (startMs + endMs) / 2;

test("turns with short pauses are joined, others are not; each has a margin", async () => {
  const stretches = await makeStretches(
    [
      [1_000, 2_000],
      [2_500, 4_000],
      [9_000, 9_900],
    ],
    10_000,
    middle,
  );
  expect(stretches).toEqual([
    { startMs: 800, endMs: 4_200 },
    { startMs: 8_800, endMs: 10_000 },
  ]);
});

test("a margin ends where the neighbouring turn begins", async () => {
  const turns = [
    [0, 29_000],
    [29_100, 50_000],
  ] as const;
  const stretches = await makeStretches(turns, 60_000, middle);
  expect(stretches).toEqual([
    { startMs: 0, endMs: 29_100 },
    { startMs: 29_000, endMs: 50_200 },
  ]);
});

test("a turn of minutes is cut at its quiet moments", async () => {
  const asked: [number, number][] = [];
  const findQuiet = (startMs: number, endMs: number) => {
    asked.push([startMs, endMs]);
    return endMs - 1_000;
  };
  const stretches = await makeStretches([[0, 100_000]], 100_000, findQuiet);
  expect(asked[0]).toEqual([21_600, 29_600]);
  expect(stretches.map(({ endMs }) => endMs)).toEqual([28_600, 57_200, 85_800, 100_000]);
  for (const { startMs, endMs } of stretches) expect(endMs - startMs).toBeLessThanOrEqual(longestStretchMs);
});

test("no speech, no stretch", async () => {
  expect(await makeStretches([], 10_000, middle)).toEqual([]);
});

test("short parts are sent together, and times are those of the call", () => {
  const parts = [
    { startMs: 1_000, endMs: 11_000 },
    { startMs: 60_000, endMs: 70_000 },
    { startMs: 90_000, endMs: 98_000 },
    { startMs: 99_000, endMs: 101_000 },
  ];
  const [first = [], second] = packStretches(parts);
  expect([first, second]).toEqual([parts.slice(0, 3), parts.slice(3)]);
  const times = [0, 10_000, 10_000 + gapMs / 2, 10_000 + gapMs, 20_000 + gapMs, 20_000 + 2 * gapMs, 50_000];
  expect(times.map((ms) => unpackTime(first, ms))).toEqual([1_000, 11_000, 11_000, 60_000, 70_000, 90_000, 98_000]);
  // A word does not last from one part to the next.
  expect(unpackWord(first, { startMs: 9_500, endMs: 10_900 })).toEqual({ startMs: 10_500, endMs: 11_000 });
  expect(unpackWord(first, { startMs: 9_900, endMs: 11_900 })).toEqual({ startMs: 60_000, endMs: 61_400 });
});
