import { expect, test } from "vitest";
import { type GroupSums, groupVariances, type Sums, shrunkMean } from "./shrinkage.ts";

const sumsOf = (scores: readonly number[]): Sums => ({
  count: scores.length,
  total: scores.reduce((sum, score) => sum + score, 0),
  squares: scores.reduce((sum, score) => sum + score ** 2, 0),
});
const groupOf = (agents: readonly (readonly number[])[]): GroupSums => ({
  ...sumsOf(agents.flat()),
  agents: agents.length,
  squaredCounts: agents.reduce((sum, scores) => sum + scores.length ** 2, 0),
  squaredTotals: agents.reduce((sum, scores) => sum + sumsOf(scores).total ** 2 / scores.length, 0),
});

test("variances are those of the analysis of variance", () => {
  // Means 5, 9, 10 of 6, 6 and 6: MSB 42, MSW 68/15 (a textbook one-way ANOVA with F = 9.26).
  const agents = [
    [6, 8, 4, 5, 3, 4],
    [8, 12, 9, 11, 6, 8],
    [13, 9, 11, 8, 7, 12],
  ];
  const found = groupVariances(groupOf(agents));
  expect(found?.mean).toBeCloseTo(8);
  expect(found?.within).toBeCloseTo(68 / 15);
  expect(found?.between).toBeCloseTo((42 - 68 / 15) / 6);
});

test("with unequal counts, n₀ takes the place of n", () => {
  const agents = [[1, 3], [5, 7, 9], [10]];
  const found = groupVariances(groupOf(agents));
  const within = (2 + 8 + 0) / 3;
  const mean = 35 / 6;
  const betweenSquare = (2 * (2 - mean) ** 2 + 3 * (7 - mean) ** 2 + (10 - mean) ** 2) / 2;
  const size = (6 - 14 / 6) / 2;
  expect(found?.within).toBeCloseTo(within);
  expect(found?.between).toBeCloseTo((betweenSquare - within) / size);
});

test("few scores are shrunk more than many; identical agents all get the mean of the group", () => {
  const group = { mean: 80, within: 100, between: 25, ofMean: 1 };
  const few = shrunkMean({ count: 4, total: 4 * 60, squares: 0 }, group);
  const many = shrunkMean({ count: 400, total: 400 * 60, squares: 0 }, group);
  expect(few.mean).toBeCloseTo(70);
  expect(many.mean).toBeCloseTo(80 * (0.25 / 25.25) + 60 * (25 / 25.25));
  expect(many.high - many.low).toBeLessThan(few.high - few.low);
  const alike = shrunkMean({ count: 4, total: 4 * 60, squares: 0 }, { ...group, between: 0 });
  expect(alike.mean).toBe(80);
  expect(alike.high - alike.low).toBeCloseTo(2 * 1.96, 2);
});

test("scores without any variance stay as they are; one agent is no group", () => {
  expect(shrunkMean({ count: 2, total: 20, squares: 200 }, { mean: 10, within: 0, between: 0, ofMean: 0 })).toEqual({
    mean: 10,
    low: 10,
    high: 10,
  });
  expect(groupVariances(groupOf([[1, 2, 3]]))).toBeNull();
  expect(groupVariances(groupOf([[1], [2]]))).toBeNull();
});
