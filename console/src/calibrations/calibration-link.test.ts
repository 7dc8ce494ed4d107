import { expect, test } from "vitest";
import { calibrationLink, calibrationOf } from "./calibration-link.ts";

const id = "0190f3c2-6c0b-7d6e-9b0e-3b1f2c4d0f6a";

test("the link to the review screen names the session", () => {
  const { to, search } = calibrationLink({ id, scorecard: { id: "card", version: 3, name: "Support" } }, "call");
  expect(to).toBe("/calls/call/review");
  expect(calibrationOf(search)).toBe(id);
});

test.each([{}, { calibration: "x" }, { calibration: [id, id] }])("%j names no session", (search) => {
  expect(calibrationOf(search)).toBeUndefined();
});
