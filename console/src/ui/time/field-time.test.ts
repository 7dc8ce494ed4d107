import { expect, test } from "vitest";
import { fromFieldTime, toFieldTime } from "./field-time.ts";

test.each([
  ["2026-11-15T08:00", "Europe/Paris", "2026-11-15T07:00:00.000Z"],
  ["2026-07-01", "Europe/Paris", "2026-06-30T22:00:00.000Z"],
  ["2026-03-29T12:00", "Europe/Paris", "2026-03-29T10:00:00.000Z"],
  ["2026-01-01T00:00", "Asia/Kathmandu", "2025-12-31T18:15:00.000Z"],
])("%s in %s is %s, and back", (text, zone, moment) => {
  expect(fromFieldTime(text, zone)?.toISOString()).toBe(moment);
  expect(toFieldTime(new Date(moment), zone).slice(0, text.length)).toBe(text);
});

test("adds days across the end of a year", () => {
  expect(fromFieldTime("2026-12-31", "UTC", 1)?.toISOString()).toBe("2027-01-01T00:00:00.000Z");
});

test.each(["", "yesterday", "2026-13-01", "2026-11-15T25:00"])("%j is invalid", (text) => {
  expect(fromFieldTime(text, "UTC")).toBeUndefined();
});
