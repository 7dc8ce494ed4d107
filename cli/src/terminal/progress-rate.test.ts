import { expect, test } from "vitest";
import { formatEta, openCountdown, openRateMeter } from "./progress-rate.ts";

test("the rate covers the last seconds", () => {
  const meter = openRateMeter(10_000);
  expect(meter.rate()).toBeUndefined();
  for (let atMs = 0; atMs <= 20_000; atMs += 100) meter.addSample({ atMs, done: atMs / 10, bytes: atMs * 100 });
  expect(meter.rate()?.callsPerSecond).toBeCloseTo(100, 0);
  for (let atMs = 20_100; atMs <= 31_000; atMs += 100) meter.addSample({ atMs, done: 2000, bytes: 2_000_000 });
  expect(meter.rate()).toEqual({ callsPerSecond: 0, bytesPerSecond: 0 });
});

test("the remaining time counts down despite noisy estimates", () => {
  const countdown = openCountdown();
  const shown: number[] = [];
  for (let second = 0; second < 60; second++) {
    const noise = second % 2 === 0 ? 1.08 : 0.92;
    shown.push(countdown.remainingMs((120 - second) * 1000 * noise, second * 1000));
  }
  const rises = shown.filter((ms, at) => at > 0 && ms > (shown[at - 1] ?? 0));
  expect(rises).toEqual([]);
});

test("the remaining time jumps if the estimate was far off", () => {
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
])("%d ms are %s", (ms, expected) => expect(formatEta(ms)).toBe(expected));
