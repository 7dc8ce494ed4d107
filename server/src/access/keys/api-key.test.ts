import { expect, test } from "vitest";
import { hashApiKey, isApiKey, newApiKey } from "./api-key.ts";

test("a new key has the documented format and a valid checksum", () => {
  for (let i = 0; i < 200; i++) {
    const key = newApiKey("c0");
    expect(key).toMatch(/^hb_c0_[0-9A-Za-z]{49}$/);
    expect(isApiKey(key, "c0")).toBe(true);
  }
});

test("keys are unique", () => {
  expect(new Set(Array.from({ length: 1000 }, () => newApiKey("c0"))).size).toBe(1000);
});

test.each([
  ["an empty string", () => ""],
  ["another cell's key", () => newApiKey("c1")],
  ["a changed character", () => newApiKey("c0").replace(/.(?=.{20}$)/, (c) => (c === "a" ? "b" : "a"))],
  ["a longer key", () => `${newApiKey("c0")}a`],
  ["a key with a line break", () => `${newApiKey("c0")}\n`],
])("%s is not a valid key", (_, make) => {
  expect(isApiKey(make(), "c0")).toBe(false);
});

test("the stored hash has 32 bytes", () => {
  expect(hashApiKey(newApiKey("c0"))).toHaveLength(32);
});
