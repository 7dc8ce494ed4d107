import fc from "fast-check";
import { expect, test } from "vitest";
import { roundToTotal } from "./largest-remainder.ts";

test("gives units that are left to the largest remainders, then to the smaller ids", () => {
  const shares = ["b", "a", "c"].map((id) => ({ id, numerator: 10_000n }));
  expect([...roundToTotal(shares, 3n, 10_000)]).toEqual([
    ["b", 3333],
    ["a", 3334],
    ["c", 3333],
  ]);
  expect([
    ...roundToTotal(
      [
        { id: "a", numerator: 4n },
        { id: "b", numerator: 6n },
      ],
      10n,
      1,
    ).values(),
  ]).toEqual([0, 1]);
});

test("adds up exactly and moves no share by a whole unit", () => {
  const parts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { minLength: 1, maxLength: 150 });
  fc.assert(
    fc.property(parts, fc.nat({ max: 10_000 }), (numerators, total) => {
      const sum = numerators.reduce((a, b) => a + b);
      fc.pre(sum > 0n);
      const shares = numerators.map((numerator, index) => ({ id: `q${index}`, numerator: numerator * BigInt(total) }));
      const rounded = roundToTotal(shares, sum, total);
      expect([...rounded.values()].reduce((a, b) => a + b)).toBe(total);
      for (const { id, numerator } of shares) {
        const units = BigInt(rounded.get(id) ?? -1);
        expect(units - numerator / sum).toBeOneOf(numerator % sum === 0n ? [0n] : [0n, 1n]);
      }
    }),
  );
});
