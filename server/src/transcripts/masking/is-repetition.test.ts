import { expect, test } from "vitest";
import { isRepetition } from "./is-repetition.ts";

test.each([
  ["the same", "4929123", "4929123", true],
  ["too short to tell", "492912", "492912", false],
  ["three of ten are other digits", "1234567890", "9994567890", true],
  ["four of ten are other digits", "1234567890", "9999567890", false],
  ["three of ten are missing", "1234567890", "1234567", true],
  ["three of ten are added", "1234567", "1234567890", true],
  ["four of eleven are missing", "12345678901", "1234567", false],
  ["one is missing, one is added", "1234567890", "2345678901", true],
  ["everything but the length is different", "1111111", "2222222", false],
])("%s", (_, a, b, expected) => {
  expect(isRepetition(a, b)).toBe(expected);
});
