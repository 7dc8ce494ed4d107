import { expect, test } from "vitest";
import { daysOfWeek, lastWeeks, movePeriod, readScoreSearch, reviewsBehind } from "./filter.ts";

const id = "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d";
// A Wednesday.
const now = Date.parse("2026-11-18T04:00:00Z");

test.each([
  ["2026-11-18T00:00:00Z", "2026-11-16"],
  ["2026-11-16T00:00:00Z", "2026-11-16"],
  ["2026-11-22T23:59:59Z", "2026-11-16"],
])("on %s the current week begins on %s", (at, monday) => {
  expect(lastWeeks(1, Date.parse(at))).toEqual({ from: monday, to: at.slice(0, 10) });
});

test("the period is 12 weeks unless the URL says otherwise", () => {
  expect(readScoreSearch({}, now)).toMatchObject({ weeks: "12", from: "2026-08-31", to: "2026-11-18" });
  expect(readScoreSearch({ weeks: "4" }, now)).toMatchObject({ weeks: "4", from: "2026-10-26" });
  const dates = { from: "2026-01-01", to: "2026-02-01" };
  expect(readScoreSearch({ ...dates, weeks: "4" }, now)).toMatchObject({ ...dates, weeks: undefined });
});

test.each([
  { from: "2026-02-01", to: "2026-01-01" },
  { from: "2025-01-01", to: "2026-02-01" },
  { from: "2026-01-01" },
  { weeks: "3", team: "x", scorecard: "y", selection: "second", campaign: "a b" },
])("invalid values %j are dropped", (params) => {
  const search = readScoreSearch(params, now);
  expect(search).toEqual({ weeks: "12", from: "2026-08-31", to: "2026-11-18" });
});

test("a number leads to the released reviews of the same days and filters", () => {
  const search = readScoreSearch({ from: "2026-11-03", to: "2026-11-18", team: id, selection: "drawn" }, now);
  expect(reviewsBehind(search, { question: "greeting", ...daysOfWeek(search, "2026-11-02") })).toEqual({
    ...{ team: id, selection: "drawn", state: "released", question: "greeting" },
    ...{ calledFrom: "2026-11-03", calledTo: "2026-11-08" },
  });
  expect(daysOfWeek(search, "2026-11-16")).toEqual({ calledFrom: "2026-11-16", calledTo: "2026-11-18" });
});

test.each([
  [{ from: "2026-11-05" }, { from: "2026-11-05", to: "2026-11-18" }],
  [{ from: "2026-12-01" }, { from: "2026-12-01", to: "2026-12-01" }],
  [{ to: "2026-10-01" }, { from: "2026-10-01", to: "2026-10-01" }],
  // 53 weeks.
  [{ from: "2025-01-01" }, { from: "2025-01-01", to: "2026-01-06" }],
  [{ to: "2028-01-06" }, { from: "2027-01-01", to: "2028-01-06" }],
])("after changing %j the period is %j", (change, expected) => {
  const moved = movePeriod({ from: "2026-11-01", to: "2026-11-18" }, change);
  expect(moved).toEqual(expected);
  expect(readScoreSearch(moved, now)).toMatchObject({ ...expected, weeks: undefined });
});
