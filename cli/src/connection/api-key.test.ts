import { expect, test } from "vitest";
import { readApiKey, withoutKeys } from "./api-key.ts";

const key = `hb_c0_${"a1B".repeat(16)}x`;

test("takes a key with the blanks around it that copying adds", () => {
  expect(readApiKey(` ${key}\n`, "It")).toBe(key);
});

test.each([
  ["", "is empty"],
  ["secret", "does not begin with hb_"],
  [`${key}\n${key}`, "strange character"],
  [`${key}é`, "strange character"],
])("refuses %j without saying it", (typed, reason) => {
  expect(() => readApiKey(typed, "It")).toThrow(reason);
  expect(() => readApiKey(typed, "It")).not.toThrow(/secret|a1B/);
});

test("leaves no key in a text", () => {
  expect(withoutKeys(`header "${key}" is wrong`)).toBe('header "hb_…" is wrong');
});
