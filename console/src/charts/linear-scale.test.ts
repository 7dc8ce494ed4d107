import { expect, test } from "vitest";
import { linearScale } from "./linear-scale.ts";

test("the ends of the domain are the ends of the range, also when it points up", () => {
  const y = linearScale([50, 100], [180, 20]);
  expect([50, 75, 100].map(y)).toEqual([180, 100, 20]);
  expect(linearScale([3, 3], [0, 10])(3)).toBe(5);
});

test("ticks are round", () => {
  expect(linearScale([0, 12], [0, 1]).ticks(4)).toEqual([0, 2, 4, 6, 8, 10, 12]);
  expect(linearScale([6000, 10_000], [0, 1]).ticks(5)).toEqual([6000, 7000, 8000, 9000, 10_000]);
});
