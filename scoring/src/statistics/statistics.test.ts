import { expect, test } from "vitest";
import { gwetCoefficient, rawAgreement } from "./gwet-coefficient.ts";
import { jackknifeInterval, meanInterval, rateInterval } from "./intervals.ts";
import { intraclassCorrelation, meanSquares } from "./intraclass-correlation.ts";
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
  expect(krippendorffAlpha(krippendorff, metric).value).toBeCloseTo(published, 3);
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
  expect(krippendorffAlpha(units, "nominal").value).toBeLessThan(0.1);
});

test("what cannot be calculated is null, never zero", () => {
  const equal = groupUnits([
    [1, 1],
    [1, 1],
  ]);
  expect(krippendorffAlpha([], "nominal").value).toBeNull();
  expect(krippendorffAlpha([], "ordinal").value).toBeNull();
  expect(krippendorffAlpha(equal, "nominal").value).toBeNull();
  expect(krippendorffAlpha(equal, "ordinal").value).toBeNull();
  expect(rawAgreement([]).value).toBeNull();
  expect(gwetCoefficient(groupUnits([[1, undefined]]), { categories: 2, ordered: false }).value).toBeNull();
  expect(gwetCoefficient(groupUnits([[1, 1]]), { categories: 1, ordered: false }).value).toBeNull();
  expect(intraclassCorrelation([[1, 2]])).toBeNull();
  expect(meanInterval(1, 5, 25)).toBeNull();
  expect(rateInterval(0, 0)).toBeNull();
  expect(jackknifeInterval(1, [{ value: 1, calls: 1 }])).toBeNull();
  expect(jackknifeInterval(1, [{ value: 1, calls: 9 }])).toBeNull();
  expect(
    jackknifeInterval(1, [
      { value: 1, calls: 9 },
      { value: null, calls: 1 },
    ]),
  ).toBeNull();
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
  ["nominal α", (units) => krippendorffAlpha(units, "nominal")],
  ["ordinal α", (units) => krippendorffAlpha(units, "ordinal")],
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

test("intervals of a mean and of a rate", () => {
  // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, standard deviation 2.13809.
  const interval = meanInterval(8, 40, 232);
  expect(interval?.low).toBeCloseTo(5 - 2.36462 * (2.13809 / Math.sqrt(8)), 4);
  expect(interval?.high).toBeCloseTo(5 + 2.36462 * (2.13809 / Math.sqrt(8)), 4);
  // Wilson, 8 of 10.
  expect(rateInterval(8, 10)?.low).toBeCloseTo(0.4902, 4);
  expect(rateInterval(8, 10)?.high).toBeCloseTo(0.9433, 4);
  expect(rateInterval(0, 5)?.low).toBe(0);
});

test("the jackknife interval of a mean is that of the t distribution", () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  const total = sum(values);
  const leftOut = values.map((value) => ({ value: (total - value) / 7, calls: 1 }));
  const interval = jackknifeInterval(total / 8, leftOut);
  expect(interval?.low).toBeCloseTo(meanInterval(8, 40, 232)?.low ?? 0, 10);
  expect(interval?.high).toBeCloseTo(meanInterval(8, 40, 232)?.high ?? 0, 10);
  const grouped = [2, 4, 5, 7, 9].map((value) => ({
    value: (total - value) / 7,
    calls: values.filter((other) => other === value).length,
  }));
  expect(jackknifeInterval(total / 8, grouped)?.low).toBeCloseTo(interval?.low ?? 0, 10);
});
