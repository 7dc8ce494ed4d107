import { expect, test } from "vitest";
import { parseApiKey, redactKeys } from "./api-key.ts";

const key = `hb_c0_${"a1B".repeat(16)}x`;

test("trims whitespace around a key", () => {
  expect(parseApiKey(` ${key}\n`, "It")).toBe(key);
});

test.each([
  ["", "is empty"],
  ["secret", "does not start with hb_"],
  [`${key}\n${key}`, "invalid character"],
  [`${key}é`, "invalid character"],
])("rejects %j without quoting it", (typed, reason) => {
  expect(() => parseApiKey(typed, "It")).toThrow(reason);
  expect(() => parseApiKey(typed, "It")).not.toThrow(/secret|a1B/);
});

test("redacts keys", () => {
  expect(redactKeys(`header "${key}" is wrong`)).toBe('header "hb_…" is wrong');
});
