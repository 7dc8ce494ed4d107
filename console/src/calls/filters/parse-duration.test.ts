import { expect, test } from "vitest";
import { parseDuration } from "./parse-duration.ts";

test.each([
  ["90", 90],
  [" 1:30 ", 90],
  ["0:05", 5],
  ["1:00:00", 3600],
  ["", undefined],
  ["1:3", undefined],
  ["1:60", undefined],
  ["-5", undefined],
  ["an hour", undefined],
  ["1:00:00:00", undefined],
])("%j is %j seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});
