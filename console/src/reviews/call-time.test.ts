import { expect, test } from "vitest";
import { callTime } from "./call-time.ts";

test("the id of a call has its conversation time", () => {
  expect(callTime("01a1e4ca-36e0-86ec-ab87-03d48dbe7e34")).toBe("2026-11-16T14:37:00.000Z");
  expect(callTime("00000000-0000-8000-8000-000000000000")).toBe("1970-01-01T00:00:00.000Z");
});
