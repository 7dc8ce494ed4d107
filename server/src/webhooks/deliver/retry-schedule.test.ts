import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRetryAfter, retryDelay, retryDelaysMs } from "./retry-schedule.ts";

const hour = 3_600_000;
const middle = { retryAfterMs: undefined, factor: 1, chance: 0.5 };

test("retry delays match the documentation and total about three days", () => {
  const seconds = retryDelaysMs.map((_, index) =>
    Math.round((retryDelay({ ...middle, attempts: index + 1 }) ?? 0) / 1000),
  );
  expect(seconds).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 43200, 72000, 86400]);
  const all = retryDelaysMs.reduce((sum, pause) => sum + pause, 0);
  expect(all / hour).toBeGreaterThan(70);
  expect(all / hour).toBeLessThan(74);
});

test("there is no retry after the last attempt", () => {
  expect(retryDelay({ ...middle, attempts: retryDelaysMs.length + 1 })).toBeUndefined();
});

test("jitter is at most 20%, and Retry-After is a lower bound", () => {
  const attempts = fc.integer({ min: 1, max: retryDelaysMs.length });
  fc.assert(
    fc.property(attempts, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: hour }), (n, chance, requested) => {
      const nominal = retryDelaysMs[n - 1] ?? 0;
      const pause = retryDelay({ attempts: n, chance, factor: 1, retryAfterMs: undefined }) ?? 0;
      expect(pause).toBeGreaterThanOrEqual(nominal * 0.8 - 1);
      expect(pause).toBeLessThanOrEqual(nominal * 1.2 + 1);
      expect(retryDelay({ attempts: n, chance, factor: 1, retryAfterMs: requested })).toBe(Math.max(pause, requested));
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
