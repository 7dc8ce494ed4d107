import { expect, test } from "vitest";
import { daysLeft } from "./days-left.ts";

test.each([
  ["2026-11-15T08:00:00Z", 14],
  ["2026-11-01T08:00:01Z", 1],
  ["2026-11-01T08:00:00Z", 0],
  ["2026-10-01T08:00:00Z", 0],
])("until %s there are %d days", (until, days) => {
  expect(daysLeft(until, Date.parse("2026-11-01T08:00:00Z"))).toBe(days);
});
