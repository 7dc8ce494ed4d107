import fc from "fast-check";
import { expect, test } from "vitest";
import { searchValue } from "./search-value.ts";

test("a short value is searched by itself", () => {
  expect(searchValue("+33123456789")).toBe("+33123456789");
});

test("any value fits an index row, and two different ones stay different", () => {
  const value = fc.string({ unit: "binary", maxLength: 1024, size: "max" });
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [a, b] = [searchValue(one), searchValue(other)];
      expect(Buffer.byteLength(a)).toBeLessThan(1100);
      expect(a.isWellFormed()).toBe(true);
      expect(a === b).toBe(one === other);
    }),
  );
});

test("a cut never leaves half of a pair", () => {
  expect(searchValue(`a${"😀".repeat(500)}`).isWellFormed()).toBe(true);
});
