import { expect, test } from "vitest";
import { decimalFraction, integerWeights } from "./integer-weights.ts";

test.each([
  [[40, 20, 20, 20], [40, 20, 20, 20], "unchanged"],
  [[12.5, 87.5], [1, 7], "scaled"],
  [[0.1, 0.2], [1, 2], "scaled"],
  [[2000, 1000], [2, 1], "scaled"],
  [[33.33, 33.33, 33.34], [1000, 1000, 1000], "rounded"],
  [[99.999, 0.001], [1000, 1], "rounded"],
  [[0, 0], [0, 0], "unchanged"],
  [[], [], "unchanged"],
])("%j become %j (%s)", (given, weights, kind) => {
  expect(integerWeights(given.map(decimalFraction))).toEqual({ weights, kind });
});
