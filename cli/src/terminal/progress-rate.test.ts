import { expect, test } from "vitest";
import { inRoughTime, openCountdown, openPaceMeter } from "./progress-rate.ts";

test("the pace is that of the last seconds", () => {
  const meter = openPaceMeter(10_000);
  expect(meter.pace()).toBeUndefined();
  for (let atMs = 0; atMs <= 20_000; atMs += 100) meter.note({ atMs, done: atMs / 10, bytes: atMs * 100 });
  expect(meter.pace()?.callsPerSecond).toBeCloseTo(100, 0);
  for (let atMs = 20_100; atMs <= 31_000; atMs += 100) meter.note({ atMs, done: 2000, bytes: 2_000_000 });
  expect(meter.pace()).toEqual({ callsPerSecond: 0, bytesPerSecond: 0 });
});

test("the remaining time counts down although the estimates tremble", () => {
  const countdown = openCountdown();
  const shown: number[] = [];
  for (let second = 0; second < 60; second++) {
    const tremble = second % 2 === 0 ? 1.08 : 0.92;
    shown.push(countdown.remainingMs((120 - second) * 1000 * tremble, second * 1000));
  }
  const rises = shown.filter((ms, at) => at > 0 && ms > (shown[at - 1] ?? 0));
  expect(rises).toEqual([]);
});

test("it jumps where it was really wrong", () => {
  const countdown = openCountdown();
  countdown.remainingMs(60_000, 0);
  expect(countdown.remainingMs(600_000, 1000)).toBe(600_000);
});

test.each([
  [3_000, "a few seconds"],
  [31_000, "about 35 s"],
  [61_000, "about 1 min 10 s"],
  [120_000, "about 2 min"],
  [599_999, "about 10 min"],
  [1_500_000, "about 25 min"],
  [3_599_000, "about 1 h"],
  [4_500_000, "about 1 h 15 min"],
  [200_000_000, "about 3 days"],
])("%d ms are %s", (ms, said) => expect(inRoughTime(ms)).toBe(said));
