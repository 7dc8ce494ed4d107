import fc from "fast-check";
import { expect, test } from "vitest";
import { openLineSet } from "./line-set.ts";

test("has the lines that were added, and no other", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(5_000)), (added) => {
      const lines = openLineSet();
      for (const line of added) lines.add(line);
      const found = Array.from({ length: 5_010 }, (_, line) => line).filter(lines.has);
      expect(found).toEqual(added.toSorted((one, other) => one - other));
    }),
  );
});

test.each([0, 1, 7, 8, 9, 1_000_000, 100_000_000])("has line %i and neither neighbour", (line) => {
  const lines = openLineSet();
  lines.add(line);
  expect([lines.has(line - 1), lines.has(line), lines.has(line + 1)]).toEqual([false, true, false]);
});
