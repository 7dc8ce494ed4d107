import { expect, test } from "vitest";
import { safeNext } from "./safe-next.ts";

test.each([
  "/",
  "/calls",
  "/calls?agent=a&agent=b#t=3",
  "/webhooks/0b9c",
  "/calls?q=https%3A%2F%2Fevil.test",
  "/a%2F%2Fb",
])("%s is a page of the console", (next) => {
  expect(safeNext(next)).toBe(next);
});

test.each([
  ...[
    "https://evil.test",
    "//evil.test",
    "///evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "/\t/evil.test",
    "/\n/evil.test",
  ],
  ...[
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.test",
    "",
    " /calls",
    "/ /evil.test",
    "/a/..//evil.test",
    "/.//evil.test",
  ],
  ...["https:evil.test", "http:/evil.test", "/\u0000/evil.test", `/${"a".repeat(2000)}`],
])("%j is rejected", (next) => {
  expect(safeNext(next)).toBeUndefined();
});

test("rejects values that are not strings, such as repeated parameters", () => {
  for (const next of [undefined, null, 7, ["/calls", "/keys"], {}]) expect(safeNext(next)).toBeUndefined();
});
