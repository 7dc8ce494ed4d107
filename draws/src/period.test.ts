import { expect, test } from "vitest";
import { periodFrom } from "./period.ts";

const spanOf = (...[period, zone, at]: [Parameters<typeof periodFrom>[0], string, string]) => {
  const { name, startsAt, endsAt } = periodFrom(period, zone, new Date(at));
  return [name, startsAt.toISOString(), endsAt.toISOString()];
};

test("a week ends on Sunday at midnight of the time zone", () => {
  expect(spanOf("week", "Europe/Paris", "2026-11-18T10:00:00Z")).toEqual([
    "2026-11-18/2026-11-22",
    "2026-11-18T10:00:00.000Z",
    "2026-11-22T23:00:00.000Z",
  ]);
  expect(spanOf("week", "Europe/Paris", "2026-11-22T23:00:00Z")).toEqual([
    "2026-11-23/2026-11-29",
    "2026-11-22T23:00:00.000Z",
    "2026-11-29T23:00:00.000Z",
  ]);
});

test("a day on which clocks change has 23 or 25 hours", () => {
  expect(spanOf("day", "Europe/Paris", "2026-10-24T22:00:00Z")[2]).toBe("2026-10-25T23:00:00.000Z");
  expect(spanOf("day", "Europe/Paris", "2026-03-28T23:00:00Z")[2]).toBe("2026-03-29T22:00:00.000Z");
});

test("a month ends with its last day", () => {
  expect(spanOf("month", "America/New_York", "2026-12-01T04:59:59Z")[0]).toBe("2026-11-30/2026-11-30");
  expect(spanOf("month", "America/New_York", "2026-12-01T05:00:00Z")).toEqual([
    "2026-12-01/2026-12-31",
    "2026-12-01T05:00:00.000Z",
    "2027-01-01T05:00:00.000Z",
  ]);
});
