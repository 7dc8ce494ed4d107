import { expect, test } from "vitest";
import { dayStarts } from "./day-starts.ts";

const starts = (zone: string, days: number, now: string) =>
  dayStarts(zone, days, new Date(now)).map(({ day, startsAt }) => `${day} ${startsAt.toISOString()}`);

test.each([
  ["UTC", "2026-11-15T12:00:00Z", "2026-11-15 2026-11-15T00:00:00.000Z"],
  ["Europe/Paris", "2026-11-15T23:30:00Z", "2026-11-16 2026-11-15T23:00:00.000Z"],
  ["America/Los_Angeles", "2026-11-15T03:00:00Z", "2026-11-14 2026-11-14T08:00:00.000Z"],
  ["Asia/Kolkata", "2026-11-15T12:00:00Z", "2026-11-15 2026-11-14T18:30:00.000Z"],
  ["Pacific/Kiritimati", "2026-11-15T12:00:00Z", "2026-11-16 2026-11-15T10:00:00.000Z"],
])("in %s at %s the day is %s", (zone, now, day) => {
  expect(starts(zone, 1, now)).toEqual([day]);
});

test("handles days of 23 and 25 hours", () => {
  expect(starts("Europe/Paris", 3, "2026-10-26T12:00:00Z")).toEqual([
    "2026-10-24 2026-10-23T22:00:00.000Z",
    "2026-10-25 2026-10-24T22:00:00.000Z",
    "2026-10-26 2026-10-25T23:00:00.000Z",
  ]);
  expect(starts("Europe/Paris", 2, "2026-03-30T12:00:00Z")).toEqual([
    "2026-03-29 2026-03-28T23:00:00.000Z",
    "2026-03-30 2026-03-29T22:00:00.000Z",
  ]);
});

test("a day whose midnight a DST change skips starts after the change", () => {
  // In September, clocks in Santiago go from 23:59:59 to 01:00.
  expect(starts("America/Santiago", 1, "2026-09-06T12:00:00Z")).toEqual(["2026-09-06 2026-09-06T04:00:00.000Z"]);
});
