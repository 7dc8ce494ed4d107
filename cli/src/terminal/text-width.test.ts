import { expect, test } from "vitest";
import { sanitize, textWidth, truncateText } from "./text-width.ts";

test.each([
  ["", 0],
  ["abc", 3],
  ["Chloé", 5],
  ["Chloe\u0301", 5],
  ["田中", 4],
  ["한국", 4],
  ["👩‍👩‍👧", 2],
  ["✓ ok", 4],
  ["━╸─", 3],
  ["\x1b[31mred\x1b[39m", 3],
])("%j takes %d columns", (text, width) => expect(textWidth(text)).toBe(width));

test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 4, "abc…"],
  ["田中さん", 5, "田中…"],
  ["田中さん", 4, "田…"],
  ["abc", 1, "…"],
  ["abc", 0, ""],
])("%j in %d columns is %j", (text, width, truncated) => expect(truncateText(text, width)).toBe(truncated));

test("a truncated text always fits", () => {
  const signs = ["a", "é", "田", "👩‍👩‍👧", "e\u0301", "\u200b", "…"];
  for (let seed = 0; seed < 2000; seed++) {
    const text = Array.from({ length: seed % 13 }, (_, at) => signs[(seed * 31 + at * at * 7) % signs.length]).join("");
    const width = seed % 11;
    expect(textWidth(truncateText(text, width))).toBeLessThanOrEqual(width);
  }
});

test("replaces control characters", () => {
  expect(sanitize("a\x1b[2Jb\nc\u202ed\x9bm")).toBe("a�[2Jb�c�d�m");
  expect(sanitize("Chloé 田中 👩‍👩‍👧")).toBe("Chloé 田中 👩‍👩‍👧");
});
