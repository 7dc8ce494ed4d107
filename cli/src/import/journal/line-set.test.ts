import fc from "fast-check";
import { expect, test } from "vitest";
import { openLineSet } from "./line-set.ts";

test("contains exactly the added lines", () => {
  const lines = fc.array(fc.nat({ max: 100_000 }), { maxLength: 50 });
  fc.assert(
    fc.property(lines, lines, (added, asked) => {
      const set = openLineSet();
      for (const line of added) set.add(line);
      for (const line of [...added, ...asked]) expect(set.has(line)).toBe(added.includes(line));
    }),
  );
});
