import { expect, test } from "vitest";
import { boundedInterval } from "./intervals.ts";
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
  // Means 5, 9, 10 and 8 of 6 each: MSB = 6·14/3, MSW = 78/20.
  const agents = [
    [6, 8, 4, 5, 3, 4],
    [8, 12, 9, 11, 6, 8],
    [13, 9, 11, 8, 7, 12],
    [8, 10, 6, 9, 7, 8],
  ];
  const found = groupVariances(groupOf(agents));
  expect(found).toMatchObject({ agents: 4, mean: 8, degrees: 20 });
  expect(found?.within).toBeCloseTo(78 / 20);
  expect(found?.between).toBeCloseTo(((6 * 14) / 3 - 78 / 20) / 6);
});

test("with unequal counts, n₀ takes the place of n", () => {
  const agents = [[1, 3], [5, 7, 9], [10], [4, 4]];
  const found = groupVariances(groupOf(agents));
  const within = (2 + 8 + 0 + 0) / 4;
  const mean = 43 / 8;
  const betweenSquare = (2 * (2 - mean) ** 2 + 3 * (7 - mean) ** 2 + (10 - mean) ** 2 + 2 * (4 - mean) ** 2) / 3;
  const size = (8 - 18 / 8) / 3;
  expect(found?.within).toBeCloseTo(within);
  expect(found?.between).toBeCloseTo((betweenSquare - within) / size);
});

const bounds = { lowest: 0, highest: 100 };
const group = { agents: 7, mean: 80, within: 100, between: 25, degrees: 50 };
const widthOf = ({ interval }: ReturnType<typeof shrunkMean>) => (interval ? interval.high - interval.low : 0);
/** Of `count` scores whose variance is that within the group. */
const own = (count: number, mean: number): Sums => ({
  count,
  total: count * mean,
  squares: count * mean ** 2 + (count - 1) * 100,
});

test("few scores are shrunk more than many, and have a wider interval", () => {
  const [few, many] = [shrunkMean(own(4, 60), group, bounds), shrunkMean(own(400, 60), group, bounds)];
  // B = 4/6 · 25/(25 + 25), and 4/6 · 0.25/(0.25 + 25).
  expect(few.mean).toBeCloseTo(60 + 20 / 3);
  expect(many.mean).toBeCloseTo(60 + (20 * 4 * 0.25) / (6 * 25.25));
  expect(widthOf(many)).toBeLessThan(widthOf(few));
});

test("the interval of a shrunk mean is wider the further the agent is from the group", () => {
  const [near, far] = [shrunkMean(own(4, 50), { ...group, mean: 50 }, bounds), shrunkMean(own(4, 50), group, bounds)];
  expect(widthOf(far)).toBeGreaterThan(widthOf(near) * 1.1);
  // By hand: B = 1/3, variance (1 − 6/7 · 1/3) · 25; t(50) = 2.008559; in the middle, N = 0.25/(variance/100²).
  const size = 0.25 / (((1 - 2 / 7) * 25) / 100 ** 2);
  const half = (near.interval?.high ?? 0) - 50;
  expect(half / 100 - 1 / (2 * size)).toBeCloseTo(2.008_559 * Math.sqrt((0.25 - (half / 100) ** 2) / size), 6);
});

test("the variance of a shrunk mean is that of Morris", () => {
  // B = 1/3: (1 − 6/7 · 1/3) · 25 + 2/4 · (1/3)² · 30².
  const error = Math.sqrt((1 - 2 / 7) * 25 + 900 / 18);
  const { mean, interval } = shrunkMean(own(4, 50), group, bounds);
  expect(mean).toBeCloseTo(60);
  expect(interval?.low).toBeCloseTo(boundedInterval(60, error, { ...bounds, degrees: 50 })?.low ?? 0);
});

test("agents without a difference are not all given the same mean: with few agents, none is known", () => {
  const alike = shrunkMean(own(4, 60), { ...group, between: 0 }, bounds);
  expect(alike.mean).toBeCloseTo(80 * (4 / 6) + 60 * (2 / 6));
});

test("an agent whose own scores vary more than those of the group has a wider interval", () => {
  const calm = shrunkMean({ count: 4, total: 240, squares: 14_400 }, group, bounds);
  const varied = shrunkMean({ count: 4, total: 240, squares: 14_400 + 3 * 400 }, group, bounds);
  expect(widthOf(calm)).toBeCloseTo(widthOf(shrunkMean(own(4, 60), group, bounds)));
  expect(widthOf(varied)).toBeGreaterThan(widthOf(calm) * 1.3);
  expect(varied.mean).toBe(calm.mean);
  const [two, twoVaried] = [7200, 7200 + 400].map((squares) =>
    shrunkMean({ count: 2, total: 120, squares }, group, bounds),
  );
  expect(two && twoVaried && widthOf(twoVaried) / widthOf(two)).toBeGreaterThan(1.3);
  expect(widthOf(shrunkMean({ count: 1, total: 60, squares: 3600 }, group, bounds))).toBeGreaterThan(widthOf(calm));
});

test("scores without any variance stay as they are, without an interval", () => {
  const none = { ...group, within: 0, between: 0 };
  expect(shrunkMean({ count: 2, total: 20, squares: 200 }, none, bounds)).toEqual({ mean: 10, interval: null });
});

test("fewer than four agents, or agents with one score each, are no group", () => {
  expect(groupVariances(groupOf([[1, 2, 3]]))).toBeNull();
  expect(groupVariances(groupOf([[1, 2], [3, 4], [5]]))).toBeNull();
  expect(groupVariances(groupOf([[1], [2], [3], [4]]))).toBeNull();
  expect(groupVariances(groupOf([[1], [2], [3], [4, 5]]))).not.toBeNull();
});
