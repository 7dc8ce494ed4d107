import { expect, test } from "vitest";
import { instantsOf, wallTime } from "../ui/time/zoned-time.ts";
import { fromField, toField } from "./local-time-field.ts";

const moments = (field: string, zone: string) => {
  const wall = fromField(field);
  return wall ? instantsOf(wall, zone).map((at) => at.toISOString()) : "no time";
};

test.each([
  ["2026-05-01T10:30:00", "UTC", ["2026-05-01T10:30:00.000Z"]],
  ["2026-05-01T10:30:00", "Europe/Paris", ["2026-05-01T08:30:00.000Z"]],
  ["2026-12-01T10:30:00", "Europe/Paris", ["2026-12-01T09:30:00.000Z"]],
  ["2026-05-01T10:30:00", "Asia/Kolkata", ["2026-05-01T05:00:00.000Z"]],
  ["2026-05-01T10:30:00", "Pacific/Kiritimati", ["2026-04-30T20:30:00.000Z"]],
  // Clocks go back from 3 to 2, and forward from 2 to 3.
  ["2026-10-25T02:30:00", "Europe/Paris", ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]],
  ["2026-10-25T03:00:00", "Europe/Paris", ["2026-10-25T02:00:00.000Z"]],
  ["2026-03-29T02:30:00", "Europe/Paris", []],
  ["2026-03-29T01:59:59", "Europe/Paris", ["2026-03-29T00:59:59.000Z"]],
])("%s in %s is %s", (field, zone, expected) => {
  expect(moments(field, zone)).toEqual(expected);
});

test("formats and parses local times, with and without seconds", () => {
  expect(toField(wallTime(new Date("2026-05-01T08:30:05Z"), "Europe/Paris"))).toBe("2026-05-01T10:30:05");
  expect(fromField("2026-05-01T10:30")).toMatchObject({ hour: 10, minute: 30, second: 0 });
  expect(fromField("")).toBeUndefined();
});
