import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRetryAfter, pauseAfter, pausesMs } from "./retry-schedule.ts";

const hour = 3_600_000;
const middle = { retryAfterMs: undefined, factor: 1, chance: 0.5 };

test("the pauses are those that are documented, about three days in all", () => {
  const seconds = pausesMs.map((_, index) => Math.round((pauseAfter({ ...middle, attempts: index + 1 }) ?? 0) / 1000));
  expect(seconds).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 43200, 72000, 86400]);
  const all = pausesMs.reduce((sum, pause) => sum + pause, 0);
  expect(all / hour).toBeGreaterThan(70);
  expect(all / hour).toBeLessThan(74);
});

test("after the last attempt there is no other", () => {
  expect(pauseAfter({ ...middle, attempts: pausesMs.length + 1 })).toBeUndefined();
});

test("a pause is at most a fifth shorter or longer than written, and never shorter than asked for", () => {
  const attempts = fc.integer({ min: 1, max: pausesMs.length });
  fc.assert(
    fc.property(attempts, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: hour }), (n, chance, wish) => {
      const written = pausesMs[n - 1] ?? 0;
      const pause = pauseAfter({ attempts: n, chance, factor: 1, retryAfterMs: undefined }) ?? 0;
      expect(pause).toBeGreaterThanOrEqual(written * 0.8 - 1);
      expect(pause).toBeLessThanOrEqual(written * 1.2 + 1);
      expect(pauseAfter({ attempts: n, chance, factor: 1, retryAfterMs: wish })).toBe(Math.max(pause, wish));
    }),
  );
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["-5", undefined],
  ["0", 0],
  ["120", 120_000],
  ["3600", hour],
  ["86400", hour],
  ["999999999", hour],
  ["Sun, 15 Nov 2026 12:01:00 GMT", 60_000],
  ["Sun, 15 Nov 2026 11:00:00 GMT", 0],
  ["Mon, 16 Nov 2026 12:00:00 GMT", hour],
])("Retry-After: %s is %s ms", (value, ms) => {
  expect(parseRetryAfter(value, new Date("2026-11-15T12:00:00Z"))).toBe(ms);
});
