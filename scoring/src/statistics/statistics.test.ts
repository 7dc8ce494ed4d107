import { expect, test } from "vitest";
import { gwetCoefficient } from "./gwet-coefficient.ts";
import { jackknifeInterval, meanInterval, rateInterval } from "./intervals.ts";
import { intraclassCorrelation } from "./intraclass-correlation.ts";
import { krippendorffAlpha } from "./krippendorff-alpha.ts";
import type { Ratings } from "./ratings.ts";
import { studentQuantile } from "./student-t.ts";

/** Rows are raters, columns calls, · is missing. Returns the ratings by call. */
function readTable(...rows: string[]): Ratings[] {
  const table = rows.map((row) => row.split(" ").map((cell) => (cell === "·" ? undefined : Number(cell))));
  return (table[0] ?? []).map((_, call) => table.map((row) => row[call]));
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

/** Gwet, "Handbook of Inter-Rater Reliability": the same table, unit 12 rated by the third rater. */
const gwet = readTable(
  "1 2 3 3 2 1 4 1 2 · · ·",
  "1 2 3 3 2 2 4 1 2 5 · ·",
  "· 3 3 3 2 3 4 2 2 5 1 3",
  "1 2 3 3 2 4 4 1 2 5 1 ·",
);
const categories = [1, 2, 3, 4, 5];

test("AC1 and AC2, as published", () => {
  expect(gwetCoefficient(gwet, { categories, ordered: false })?.coefficient).toBeCloseTo(0.77544, 5);
  expect(gwetCoefficient(gwet, { categories, ordered: true })?.coefficient).toBeCloseTo(0.899, 3);
});

test("AC1 of two raters, from a table of counts, as published", () => {
  const counts = [
    [13, 0, 0],
    [0, 20, 7],
    [0, 4, 56],
  ];
  const units = counts.flatMap((row, a) => row.flatMap((count, b) => Array.from({ length: count }, () => [a, b])));
  expect(gwetCoefficient(units, { categories: [0, 1, 2], ordered: false })?.coefficient).toBeCloseTo(0.84933, 5);
});

test("ICC(2,1), as published by Shrout and Fleiss", () => {
  const scores = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
  ];
  expect(intraclassCorrelation(scores)).toBeCloseTo(0.29, 3);
});

test("high raw agreement in a rare category: α is low, AC1 is high", () => {
  const units = [
    ...Array.from({ length: 91 }, () => [1, 1]),
    ...Array.from({ length: 9 }, (_, n) => [n % 2, 1 - (n % 2)]),
  ];
  const agreement = gwetCoefficient(units, { categories: [0, 1], ordered: false });
  expect(agreement?.raw).toBeCloseTo(0.91, 2);
  expect(agreement?.coefficient).toBeGreaterThan(0.85);
  expect(krippendorffAlpha(units, "nominal")).toBeLessThan(0.1);
});

test("what cannot be calculated is null, never zero", () => {
  expect(krippendorffAlpha([], "nominal")).toBeNull();
  expect(
    krippendorffAlpha(
      [
        [1, 1],
        [1, 1],
      ],
      "nominal",
    ),
  ).toBeNull();
  expect(gwetCoefficient([[1, undefined]], { categories: [1, 2], ordered: false })).toBeNull();
  expect(gwetCoefficient([[1, 1]], { categories: [1], ordered: false })).toBeNull();
  expect(intraclassCorrelation([[1, 2]])).toBeNull();
  expect(meanInterval(1, 5, 25)).toBeNull();
  expect(rateInterval(0, 0)).toBeNull();
  expect(jackknifeInterval([1], () => 1)).toBeNull();
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
  const interval = jackknifeInterval(values, (some) => some.reduce((total, value) => total + value, 0) / some.length);
  expect(interval?.low).toBeCloseTo(meanInterval(8, 40, 232)?.low ?? 0, 10);
});
