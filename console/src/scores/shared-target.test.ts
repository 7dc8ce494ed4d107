import { expect, test } from "vitest";
import { scorecardsOf } from "./filter.ts";
import { sharedTarget } from "./shared-target.ts";

test("the target is the passing score that all scorecards in use share", () => {
  expect(sharedTarget([7000])).toBe(7000);
  expect(sharedTarget([7000, 7000])).toBe(7000);
  expect(sharedTarget([7000, 8000])).toBeNull();
  expect(sharedTarget([7000, null])).toBeNull();
  expect(sharedTarget([])).toBeNull();
});

test("scorecards in use are those with reviews in the period, not all that are published", () => {
  expect(scorecardsOf([{ scorecard_id: "a" }, { scorecard_id: "a" }])).toEqual(["a"]);
  expect(scorecardsOf([{ scorecard_id: "a" }, { scorecard_id: "b" }])).toEqual(["a", "b"]);
});
