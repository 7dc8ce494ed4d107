import { expect, test } from "vitest";
import { countDomain, differenceDomain, fillWeeks, positionOf, rateDomain, scoreDomain } from "./domain.ts";

const estimate = (value: number | null, low: number | null, high: number | null) => ({ value, low, high });

test("the axis of scores begins below the lowest end of an interval and below the target", () => {
  expect(scoreDomain([estimate(8735, 8402, 9068), estimate(null, null, null)], null)).toEqual([8000, 10_000]);
  expect(scoreDomain([estimate(8735, 8402, 9068)], 7550)).toEqual([7000, 10_000]);
  expect(scoreDomain([estimate(10_000, null, null)], null)).toEqual([9000, 10_000]);
  expect(scoreDomain([], null)).toEqual([9000, 10_000]);
});

test("the axis of rates begins at 0 and ends above the highest end of an interval", () => {
  expect(rateDomain([estimate(1750, 875, 3195)])).toEqual([0, 4000]);
  expect(rateDomain([estimate(10_000, 5000, 10_000)])).toEqual([0, 10_000]);
  expect(rateDomain([])).toEqual([0, 1000]);
});

test("the axis of differences has 0 in the middle and contains the longest interval", () => {
  expect(differenceDomain([estimate(-310, -555, -65), estimate(null, null, null)])).toEqual([-1000, 1000]);
  expect(differenceDomain([estimate(200, -9_800, 10_000)])).toEqual([-10_000, 10_000]);
  expect(differenceDomain([])).toEqual([-500, 500]);
});

test.each([
  [[0, 0], 2],
  [[3], 3],
  [[11], 12],
  [[1001], 1200],
])("over counts of %s the axis ends at %s", (counts, end) => {
  expect(countDomain(counts)).toEqual([0, end]);
});

test("an interval that contains the target is unclear", () => {
  expect(positionOf(estimate(8500, 8000, 9000), 8000)).toBe("unclear");
  expect(positionOf(estimate(8500, 8001, 9000), 8000)).toBe("above");
  expect(positionOf(estimate(7500, 7000, 7999), 8000)).toBe("below");
  expect(positionOf(estimate(7500, null, null), 8000)).toBe("unclear");
  expect(positionOf(estimate(7500, 7000, 7999), null)).toBe("plain");
});

test("weeks without reviews are gaps, also across a change of the clocks", () => {
  const weeks = fillWeeks([{ week: "2026-10-19" }, { week: "2026-11-02" }]);
  expect(weeks.map(({ week, point }) => [week, point !== undefined])).toEqual([
    ["2026-10-19", true],
    ["2026-10-26", false],
    ["2026-11-02", true],
  ]);
  expect(fillWeeks([])).toEqual([]);
});
