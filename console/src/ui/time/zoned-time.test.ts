import { expect, test } from "vitest";
import { endOfDay, instantOf, startOfDay, wallTime } from "./zoned-time.ts";

const at = (year: number, month: number, day: number, hour = 0, minute = 0) => ({ year, month, day, hour, minute });

test("converts between instants and local times", () => {
  for (const zone of ["UTC", "Europe/Paris", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati"]) {
    for (const text of ["2026-01-01T00:00:00.000Z", "2026-07-14T21:59:00.000Z", "2024-02-29T12:30:00.000Z"]) {
      expect(instantOf(wallTime(new Date(text), zone), zone).toISOString()).toBe(text);
    }
  }
});

test("resolves ambiguous times to the first instant and skipped times forward", () => {
  expect(instantOf(at(2026, 10, 25, 2, 30), "Europe/Paris").toISOString()).toBe("2026-10-25T00:30:00.000Z");
  expect(instantOf(at(2026, 3, 29, 2, 30), "Europe/Paris").toISOString()).toBe("2026-03-29T01:30:00.000Z");
});

test("a day starts at midnight, or with its first hour", () => {
  const summer = new Date("2026-10-25T10:00:00Z");
  expect(startOfDay(summer, "Europe/Paris").toISOString()).toBe("2026-10-24T22:00:00.000Z");
  expect(startOfDay(summer, "Europe/Paris", 1).toISOString()).toBe("2026-10-25T23:00:00.000Z");
  expect(startOfDay(summer, "Europe/Paris", -30).toISOString()).toBe("2026-09-24T22:00:00.000Z");
  // Daylight saving started at midnight.
  expect(startOfDay(new Date("2018-11-04T12:00:00Z"), "America/Sao_Paulo").toISOString()).toBe(
    "2018-11-04T03:00:00.000Z",
  );
});

test.each([
  ["2026-11-15", "UTC", "2026-11-15T23:59:59.000Z"],
  ["2026-11-15", "Europe/Paris", "2026-11-15T22:59:59.000Z"],
  ["2026-07-01", "Europe/Paris", "2026-07-01T21:59:59.000Z"],
  // Days of a daylight saving change.
  ["2026-03-29", "Europe/Paris", "2026-03-29T21:59:59.000Z"],
  ["2026-10-25", "Europe/Paris", "2026-10-25T22:59:59.000Z"],
  ["2026-11-15", "Asia/Kathmandu", "2026-11-15T18:14:59.000Z"],
  ["2026-11-15", "America/Los_Angeles", "2026-11-16T07:59:59.000Z"],
])("%s ends in %s at %s", (day, zone, moment) => {
  expect(endOfDay(day, zone).toISOString()).toBe(moment);
});
