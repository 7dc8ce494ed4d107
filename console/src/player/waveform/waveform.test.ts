import { expect, test } from "vitest";
import { barsOf, parseWaveform } from "./waveform.ts";

/** Points of [left low, left high, right low, right high], or of one channel. */
function aWaveform(points: readonly (readonly number[])[], change: { version?: number; points?: number } = {}) {
  const channels = (points[0]?.length ?? 2) / 2;
  const bytes = new Uint8Array(24 + points.length * channels * 2);
  const head = new DataView(bytes.buffer);
  const values = [change.version ?? 2, 1, 8000, 160, change.points ?? points.length, channels];
  for (const [at, value] of values.entries()) head.setInt32(at * 4, value, true);
  bytes.set(Int8Array.from(points.flat()), 24);
  return bytes;
}

const whole = (bars: number, toMs: number) => ({ fromMs: 0, toMs, bars });

test("reads each channel", () => {
  const waveform = parseWaveform(
    aWaveform([...Array(50)].map((_, at) => (at < 25 ? [-64, 32, 0, 0] : [0, 0, -16, 96]))),
  );
  expect([waveform.channels, waveform.pointsPerSecond, waveform.durationMs]).toEqual([2, 50, 1000]);
  expect(waveform.peaks).toEqual([0.5, 0.75]);
  expect([...barsOf(waveform, 0, whole(5, 1000))]).toEqual([0.5, 0.5, 0.5, 0, 0]);
  expect([...barsOf(waveform, 1, whole(5, 1000))]).toEqual([0, 0, 0.75, 0.75, 0.75]);
});

test("reads bytes with an offset in their buffer", () => {
  const bytes = aWaveform([[-128, 0]]);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(parseWaveform(shifted.subarray(3)).peaks).toEqual([1]);
});

test("a single peak in an hour is visible at every zoom level", () => {
  const points = [...Array(180_000)].map((_, at) => (at === 123_456 ? [0, 127] : [-1, 1]));
  const waveform = parseWaveform(aWaveform(points));
  expect(waveform.levels.length).toBe(11);
  expect(waveform.levels.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThan(360_000 * 2.01);
  for (const bars of [200, 317, 1000, 4096]) {
    const drawn = barsOf(waveform, 0, whole(bars, waveform.durationMs));
    const loud = drawn.findIndex((bar) => bar > 0.9);
    expect(Math.abs(loud / bars - 123_456 / 180_000)).toBeLessThan(2 / bars);
    expect(drawn.filter((bar) => bar > 0.9).length).toBeLessThanOrEqual(2);
  }
});

test("is empty outside the call", () => {
  const waveform = parseWaveform(aWaveform([...Array(50)].map(() => [-64, 64])));
  expect([...barsOf(waveform, 0, { fromMs: -1000, toMs: 2000, bars: 3 })]).toEqual([0, 0.5, 0]);
});

test.each([
  ["another version", aWaveform([[0, 0]], { version: 1 })],
  ["too few bytes", new Uint8Array(10)],
])("%s is refused", (_, bytes) => {
  expect(() => parseWaveform(bytes)).toThrow();
});

test("reads a truncated waveform as far as possible", () => {
  expect(parseWaveform(aWaveform([[-1, 1]], { points: 500 })).durationMs).toBe(20);
});
