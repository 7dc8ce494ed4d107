import { expect, test } from "vitest";
import { gwetCoefficient, rawAgreement } from "./gwet-coefficient.ts";
import { boundedInterval, clusteredMeanInterval, jackknifeInterval, meanInterval, rateInterval } from "./intervals.ts";
import { decisiveCall, intraclassCorrelation, meanSquares } from "./intraclass-correlation.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";
import { groupUnits, type RatedUnit, type Statistic, sum } from "./ratings.ts";
import { studentQuantile } from "./student-t.ts";

/** Rows are raters, columns calls, · is missing. Returns the ratings by call. */
function readTable(...rows: string[]): RatedUnit[] {
  const table = rows.map((row) => row.split(" ").map((cell) => (cell === "·" ? undefined : Number(cell))));
  return groupUnits((table[0] ?? []).map((_, call) => table.map((row) => row[call])));
}

/** Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011, example C. */
const krippendorff = readTable(
  "1 2 3 3 2 1 4 1 2 · · ·",
  "1 2 3 3 2 2 4 1 2 5 · 3",
  "· 3 3 3 2 3 4 2 2 5 1 ·",
  "1 2 3 3 2 4 4 1 2 5 1 ·",
);

test.each([
  ["nominal", 0.743],
  ["ordinal", 0.815],
  ["interval", 0.849],
  ["ratio", 0.797],
] as const)("α with the %s metric, as published", (metric, published) => {
  expect(krippendorffAlpha(krippendorff, metric)).toBeCloseTo(published, 3);
});

test("two ratings of 0 are equal in the ratio metric", () => {
  // Coincidences: 0 and 0 twice, 0 and 1 each way. α = 1 − 2/((3 + 3)/3).
  expect(krippendorffAlpha(readTable("0 0", "0 1"), "ratio")).toBe(0);
});

/** Gwet, "Handbook of Inter-Rater Reliability": the same table, unit 12 rated by the third rater. */
const gwet = readTable(
  "1 2 3 3 2 1 4 1 2 · · ·",
  "1 2 3 3 2 2 4 1 2 5 · ·",
  "· 3 3 3 2 3 4 2 2 5 1 3",
  "1 2 3 3 2 4 4 1 2 5 1 ·",
);
const categories = 5;

test("AC1 and AC2, as published", () => {
  expect(gwetCoefficient(gwet, { categories, ordered: false }).value).toBeCloseTo(0.77544, 5);
  expect(gwetCoefficient(gwet, { categories, ordered: true }).value).toBeCloseTo(0.899, 3);
});

/** By category, its mean share of the ratings of a call. */
function meanShares(units: readonly RatedUnit[]): number[] {
  const shares = new Map<number, number>();
  const calls = sum(units.map((unit) => unit.calls));
  for (const unit of units)
    for (const [k, count] of unit.counts)
      shares.set(k, (shares.get(k) ?? 0) + (unit.calls * count) / unit.size / calls);
  return [...shares.values()];
}

test("raw agreement and shares of categories give Fleiss' κ, as published", () => {
  const raw = rawAgreement(gwet).value ?? 0;
  const byChance = sum(meanShares(gwet).map((share) => share ** 2));
  expect((raw - byChance) / (1 - byChance)).toBeCloseTo(0.76117, 5);
});

/** Counts of two raters: rows are the categories of the first, columns those of the second. */
const twoRaters = [
  [13, 0, 0],
  [0, 20, 7],
  [0, 4, 56],
];
const ratedByTwo = groupUnits(
  twoRaters.flatMap((row, a) => row.flatMap((count, b) => Array.from({ length: count }, () => [a, b]))),
);

test("AC1 of two raters, from a table of counts, as published", () => {
  expect(gwetCoefficient(ratedByTwo, { categories: 3, ordered: false }).value).toBeCloseTo(0.84933, 5);
});

test("raw agreement of two raters gives Cohen's κ, as published", () => {
  const raw = rawAgreement(ratedByTwo).value ?? 0;
  const rows = twoRaters.map(sum);
  const columns = twoRaters.map((_, b) => sum(twoRaters.map((row) => row[b] ?? 0)));
  const byChance = sum(rows.map((row, k) => (row * (columns[k] ?? 0)) / sum(rows) ** 2));
  expect((raw - byChance) / (1 - byChance)).toBeCloseTo(0.79641, 5);
});

/** Shrout and Fleiss, "Intraclass correlations: uses in assessing rater reliability", 1979, table 2. Rows are targets. */
const shroutFleiss = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
];

test("ICC(2,1), as published by Shrout and Fleiss", () => {
  expect(intraclassCorrelation(shroutFleiss)).toBeCloseTo(0.29, 3);
});

test("the mean squares of ICC(2,1) give ICC(1,1) and ICC(3,1), as published", () => {
  const { calls, rest, raters } = meanSquares(shroutFleiss);
  const [targets, k] = [shroutFleiss.length, 4];
  const within = (raters * (k - 1) + rest * (targets - 1) * (k - 1)) / (targets * (k - 1));
  expect((calls - within) / (calls + (k - 1) * within)).toBeCloseTo(0.166, 3);
  expect((calls - rest) / (calls + (k - 1) * rest)).toBeCloseTo(0.715, 3);
});

test("high raw agreement in a rare category: α is low, AC1 is high", () => {
  const units = groupUnits([
    ...Array.from({ length: 91 }, () => [1, 1]),
    ...Array.from({ length: 9 }, (_, n) => [n % 2, 1 - (n % 2)]),
  ]);
  expect(rawAgreement(units).value).toBeCloseTo(0.91, 2);
  expect(gwetCoefficient(units, { categories: 2, ordered: false }).value).toBeGreaterThan(0.85);
  expect(krippendorffAlpha(units, "nominal")).toBeLessThan(0.1);
});

const ten = { lowest: 0, highest: 10 };

test("what cannot be calculated is null, never zero", () => {
  const equal = groupUnits([
    [1, 1],
    [1, 1],
  ]);
  expect(krippendorffAlpha([], "nominal")).toBeNull();
  expect(krippendorffAlpha([], "ordinal")).toBeNull();
  expect(krippendorffAlpha(equal, "nominal")).toBeNull();
  expect(krippendorffAlpha(equal, "ordinal")).toBeNull();
  expect(rawAgreement([]).value).toBeNull();
  expect(gwetCoefficient(groupUnits([[1, undefined]]), { categories: 2, ordered: false }).value).toBeNull();
  expect(gwetCoefficient(groupUnits([[1, 1]]), { categories: 1, ordered: false }).value).toBeNull();
  expect(intraclassCorrelation([[1, 2]])).toBeNull();
  expect(meanInterval(1, 5, 25, ten)).toBeNull();
  expect(rateInterval(0, 0)).toBeNull();
  expect(jackknifeInterval(1, [{ value: 1, calls: 1 }], ten)).toBeNull();
  expect(jackknifeInterval(1, [{ value: 1, calls: 9 }], ten)).toBeNull();
  const missing = [
    { value: 1, calls: 9 },
    { value: null, calls: 1 },
  ];
  expect(jackknifeInterval(1, missing, ten)).toBeNull();
  expect(jackknifeInterval(1, [], ten)).toBeNull();
  const [only] = groupUnits([[1, 1]]);
  if (!only) throw new Error("no unit");
  expect(rawAgreement([only]).without(only)).toBeNull();
  expect(gwetCoefficient([only], { categories: 1, ordered: false }).without(only)).toBeNull();
});

test("calls with the same ratings are one unit, in whatever order they were given; calls without ratings are none", () => {
  const sizes = (...calls: (number | undefined)[][]) => groupUnits(calls).map(({ calls }) => calls);
  expect(sizes([1, 2], [2, 1], [10, 2], [2, 10])).toEqual([2, 2]);
  expect(sizes([2, 1, 2], [2, 2, 1], [10, 2, 1], [1, 2, 10])).toEqual([2, 2]);
  expect(sizes([1, 2, 34], [1, 2, 3, 4])).toEqual([1, 1]);
  expect(sizes([undefined], [], [undefined, 1])).toEqual([1]);
});

/** Four raters, five ordered categories, missing ratings, from a linear congruential generator. */
function someRatings(calls: number): (number | undefined)[][] {
  let state = 7;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: calls }, () => {
    const truth = next(5);
    return Array.from({ length: 4 }, () => (next(6) === 0 ? undefined : Math.min(4, Math.max(0, truth + next(3) - 1))));
  });
}

test.each<[string, (units: readonly RatedUnit[]) => Statistic]>([
  ["raw agreement", rawAgreement],
  ["AC1", (units) => gwetCoefficient(units, { categories, ordered: false })],
  ["AC2", (units) => gwetCoefficient(units, { categories, ordered: true })],
])("%s without one call is what the other calls give", (_, statistic) => {
  const calls = someRatings(40);
  const all = statistic(groupUnits(calls));
  for (const [at, call] of calls.entries()) {
    const others = statistic(groupUnits(calls.toSpliced(at, 1))).value ?? 0;
    const [unit] = groupUnits([call]);
    if (unit) expect(all.without(unit)).toBeCloseTo(others, 10);
  }
});

test.each([
  [0.975, 1, 12.7062],
  [0.975, 2, 4.30265],
  [0.975, 7, 2.36462],
  [0.975, 30, 2.04227],
  [0.975, 1000, 1.96234],
  [0.95, 10, 1.81246],
  [0.5, 5, 0],
])("the %f quantile of t with %i degrees of freedom, as in tables", (probability, degrees, published) => {
  expect(studentQuantile(probability, degrees)).toBeCloseTo(published, 4);
});

test("intervals of rates, as published by Newcombe for Wilson's method with continuity correction", () => {
  // Statistics in Medicine 17, 1998, table I.
  for (const [successes, trials, low, high] of [
    [81, 263, 0.2535, 0.3682],
    [15, 148, 0.0598, 0.1644],
    [0, 20, 0, 0.2005],
    [1, 29, 0.0018, 0.1963],
  ] as const) {
    expect(rateInterval(successes, trials)?.low).toBeCloseTo(low, 4);
    expect(rateInterval(successes, trials)?.high).toBeCloseTo(high, 4);
    // The other share has the other ends.
    expect(rateInterval(trials - successes, trials)?.low).toBeCloseTo(1 - high, 4);
  }
  expect(rateInterval(0, 20)?.low).toBe(0);
  expect(rateInterval(20, 20)?.high).toBe(1);
});

test("values that are all equal have no interval, however many there are", () => {
  for (const value of [0, 10_000, 8735]) {
    for (const count of [2, 3, 8, 1_000_000])
      expect(meanInterval(count, count * value, count * value ** 2, { lowest: 0, highest: 10_000 })).toBeNull();
  }
  // One of a thousand is different by the least that is possible.
  const [total, squares] = [1000 * 9999 + 1, 999 * 9999 ** 2 + 1e8];
  expect(meanInterval(1000, total, squares, { lowest: 0, highest: 10_000 })).not.toBeNull();
});

test("the interval of a mean in the middle is about that of the t distribution; near a bound it stays within", () => {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, standard deviation 2.13809.
  const margin = 2.36462 * (2.13809 / Math.sqrt(8));
  const wide = meanInterval(8, 40, 232, { lowest: -995, highest: 1005 });
  expect(wide?.low).toBeCloseTo(5 - margin, 1);
  expect(wide?.high).toBeCloseTo(5 + margin, 1);
  const near = meanInterval(8, 40, 232, { lowest: 0, highest: 10 });
  expect(near?.low).toBeGreaterThan(5 - margin);
  expect((near?.low ?? 0) + (near?.high ?? 0)).toBeCloseTo(10, 10);
  // 10 ten times and 6 once: nearer to the bound than to the middle, so the lower side is longer.
  const skew = meanInterval(11, 106, 1036, { lowest: 0, highest: 10 });
  expect(skew?.high).toBeLessThan(10);
  expect(106 / 11 - (skew?.low ?? 0)).toBeGreaterThan((skew?.high ?? 0) - 106 / 11);
});

test("an interval depends on where the bounds are, not on the unit", () => {
  const one = boundedInterval(0.3, 0.05, { lowest: 0, highest: 1, degrees: 9 });
  const moved = boundedInterval(-4, 1, { lowest: -10, highest: 10, degrees: 9 });
  expect((moved?.low ?? 0) / 20 + 0.5).toBeCloseTo(one?.low ?? 0, 12);
  expect((moved?.high ?? 0) / 20 + 0.5).toBeCloseTo(one?.high ?? 0, 12);
  expect(boundedInterval(0.3, 1e-12, { lowest: 0, highest: 1, degrees: 9 })).toBeNull();
});

const clustersOf = (clusters: readonly (readonly number[])[]) => ({
  clusters: clusters.length,
  count: sum(clusters.map(({ length }) => length)),
  total: sum(clusters.map(sum)),
  squaredTotals: sum(clusters.map((values) => sum(values) ** 2)),
  products: sum(clusters.map((values) => values.length * sum(values))),
  squaredCounts: sum(clusters.map(({ length }) => length ** 2)),
});

test("clusters of one value each have the interval of the mean", () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  const interval = clusteredMeanInterval(clustersOf(values.map((value) => [value])), ten);
  const ofMean = meanInterval(8, 40, 232, ten);
  expect(interval?.low).toBeCloseTo(ofMean?.low ?? 0, 10);
  expect(interval?.high).toBeCloseTo(ofMean?.high ?? 0, 10);
});

test("values that are dependent within clusters have a wider interval than independent ones", () => {
  const width = (clusters: readonly (readonly number[])[]) => {
    const interval = clusteredMeanInterval(clustersOf(clusters), ten);
    return interval && interval.high - interval.low;
  };
  const apart = [2, 2, 4, 4, 6, 6, 8, 8].map((value) => [value]);
  const together = [
    [2, 2],
    [4, 4],
    [6, 6],
    [8, 8],
  ];
  expect(width(together)).toBeGreaterThan((width(apart) ?? 0) * 1.4);
  // By hand: mean 5, D = −6, −2, 2, 6, so SE² = 4/3 · 80/64 = 5/3; t(3) = 3.182446.
  const [size, t] = [0.25 / (5 / 3 / 100), 3.182_446];
  expect(clusteredMeanInterval(clustersOf(together), ten)?.low).toBeCloseTo(10 * (0.5 - halfWidth(size, t)), 5);
});

/** Half of Wilson's interval with continuity correction around 0.5: (x − 0.5) − 1/2N = t√(x(1 − x)/N), solved for x. */
function halfWidth(size: number, t: number): number {
  let [near, far] = [0, 0.5];
  for (let step = 0; step < 60; step++) {
    const middle = (near + far) / 2;
    if (middle - 1 / (2 * size) < t * Math.sqrt((0.25 - middle ** 2) / size)) near = middle;
    else far = middle;
  }
  return near;
}

test("clusters that are all equal, a single one, and one large among small ones have no interval", () => {
  expect(clusteredMeanInterval(clustersOf([[5, 5], [5], [5, 5, 5]]), ten)).toBeNull();
  expect(clusteredMeanInterval(clustersOf([[2, 4, 9]]), ten)).toBeNull();
  // Effective number: 10² / (9² + 1) is 1.2.
  expect(clusteredMeanInterval(clustersOf([[2, 3, 4, 5, 6, 5, 4, 3, 2], [9]]), ten)).toBeNull();
  expect(clusteredMeanInterval(clustersOf([]), ten)).toBeNull();
});

test("the jackknife interval of a mean is that of the mean", () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  const total = sum(values);
  const leftOut = values.map((value) => ({ value: (total - value) / 7, calls: 1 }));
  const interval = jackknifeInterval(total / 8, leftOut, ten);
  expect(interval?.low).toBeCloseTo(meanInterval(8, 40, 232, ten)?.low ?? 0, 10);
  expect(interval?.high).toBeCloseTo(meanInterval(8, 40, 232, ten)?.high ?? 0, 10);
  const grouped = [2, 4, 5, 7, 9].map((value) => ({
    value: (total - value) / 7,
    calls: values.filter((other) => other === value).length,
  }));
  expect(jackknifeInterval(total / 8, grouped, ten)?.low).toBeCloseTo(interval?.low ?? 0, 10);
});

test("reviewers who differ less than by chance make the ICC larger, not smaller, than the rest alone would", () => {
  // Both reviewers have the same mean: MSJ − MSE is negative, and is not cut off at 0.
  const scores = [
    [10, 8],
    [7, 9],
    [4, 6],
    [3, 1],
  ];
  const { calls, raters, rest } = meanSquares(scores);
  expect(raters).toBe(0);
  expect(rest).toBeGreaterThan(0);
  const expected = (calls - rest) / (calls + rest + (2 * (0 - rest)) / 4);
  expect(intraclassCorrelation(scores)).toBeCloseTo(expected, 12);
  expect(intraclassCorrelation(scores)).toBeGreaterThan((calls - rest) / (calls + rest));
});

test("one call that failed decides the ICC of calls that are otherwise alike", () => {
  const alike = Array.from({ length: 11 }, (_, n) => [9000 + 100 * (n % 3), 9000 + 100 * ((n + 1) % 3)]);
  const withFailed = [...alike.slice(0, 4), [0, 0], ...alike.slice(4)];
  expect(intraclassCorrelation(withFailed)).toBeGreaterThan(0.95);
  expect(intraclassCorrelation(alike)).toBeLessThan(0.3);
  expect(decisiveCall(withFailed)).toBe(4);
  // Also if it lowers the ICC.
  const spread = Array.from({ length: 11 }, (_, n) => [700 * n, 700 * n + 100 * (n % 2)]);
  expect(decisiveCall(spread)).toBeUndefined();
  expect(decisiveCall([...spread, [0, 10_000]])).toBe(11);
  // Also if the ICC is 0.
  expect(decisiveCall([...Array.from({ length: 11 }, () => [50, 50]), [50, 70]])).toBe(11);
  // Without the only call that is different there is no ICC.
  expect(decisiveCall([...Array.from({ length: 11 }, () => [50, 50]), [10, 20]])).toBe(11);
  expect(decisiveCall([[1, 2]])).toBeUndefined();
});

test("the fewest values, clusters, calls and reviewers that say something", () => {
  expect(meanInterval(2, 6, 20, ten)).not.toBeNull();
  expect(clusteredMeanInterval(clustersOf([[2], [4]]), ten)).not.toBeNull();
  const both = [
    { value: 1, calls: 1 },
    { value: 2, calls: 1 },
  ];
  expect(jackknifeInterval(1.5, both, ten)).not.toBeNull();
  expect(jackknifeInterval(null, both, ten)).toBeNull();
  const table = [
    [1, 2],
    [5, 6],
  ];
  // MSB 16, MSJ 1, MSE 0: 16/(16 + 2·1/2).
  expect(intraclassCorrelation(table)).toBeCloseTo(16 / 17, 12);
  expect(intraclassCorrelation([])).toBeNull();
  expect(intraclassCorrelation([[1], [5]])).toBeNull();
  expect(intraclassCorrelation([...table, [9]])).toBeNull();
});
