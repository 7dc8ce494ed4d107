import { expect, test } from "vitest";
import { ticksOf } from "../waveform/ticks.ts";
import { normalisingGainDb } from "./audio-graph.ts";
import { nextSpeed } from "./settings.ts";

test.each([
  [1, 1, 1.25],
  [1, -1, 0.75],
  [0.5, -1, 0.5],
  [3, 1, 3],
  [2, 1, 2.5],
] as const)("from speed %d by step %d to speed %d", (speed, step, next) => {
  expect(nextSpeed(speed, step)).toBe(next);
});

test.each([
  [-20, 0],
  [-32, 12],
  [-60, 18],
  [-2, -12],
  [null, 0],
])("a voice of %s LUFS gets a gain of %d dB", (loudness, db) => {
  expect(normalisingGainDb(loudness)).toBe(db);
});

test.each([
  [{ fromMs: 0, toMs: 30_000 }, [5, 10, 15, 20, 25]],
  [{ fromMs: 83_000, toMs: 93_000 }, [84, 86, 88, 90, 92]],
  [{ fromMs: 0, toMs: 3_600_000 }, [600, 1200, 1800, 2400, 3000]],
])("a view of %j has ticks at %j seconds", (view, seconds) => {
  expect(ticksOf(view).map(({ ms }) => ms / 1000)).toEqual(seconds);
});
