import fc from "fast-check";
import { expect, test } from "vitest";
import { metadataIndexValue } from "./metadata-index-value.ts";

test("short values are indexed unchanged", () => {
  expect(metadataIndexValue("+33123456789")).toBe("+33123456789");
});

test("any value fits into an index row, and different values stay different", () => {
  const value = fc.string({ unit: "binary", maxLength: 1024, size: "max" });
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [a, b] = [metadataIndexValue(one), metadataIndexValue(other)];
      expect(Buffer.byteLength(a)).toBeLessThan(1100);
      expect(a.isWellFormed()).toBe(true);
      expect(a === b).toBe(one === other);
    }),
  );
});

test("truncation never splits a surrogate pair", () => {
  expect(metadataIndexValue(`a${"😀".repeat(500)}`).isWellFormed()).toBe(true);
});
