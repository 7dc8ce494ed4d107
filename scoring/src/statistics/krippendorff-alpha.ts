import { countValues, occurringValues, type Ratings, sum } from "./ratings.ts";

export type Metric = "nominal" | "ordinal" | "interval" | "ratio";

/** Squared difference of two values, by their places in ascending order. */
type SquaredDifference = (c: number, k: number) => number;

function differenceOf(metric: Metric, values: readonly number[], totals: readonly number[]): SquaredDifference {
  const valueAt = (place: number) => values[place] ?? 0;
  const totalAt = (place: number) => totals[place] ?? 0;
  switch (metric) {
    case "nominal":
      return (c, k) => (c === k ? 0 : 1);
    case "ordinal":
      return (c, k) => {
        const between = sum(totals.slice(Math.min(c, k), Math.max(c, k) + 1));
        return (between - (totalAt(c) + totalAt(k)) / 2) ** 2;
      };
    case "interval":
      return (c, k) => (valueAt(c) - valueAt(k)) ** 2;
    case "ratio":
      return (c, k) => {
        const total = valueAt(c) + valueAt(k);
        return total === 0 ? 0 : ((valueAt(c) - valueAt(k)) / total) ** 2;
      };
  }
}

/**
 * Krippendorff's α: agreement of any number of raters, corrected for chance, with missing ratings. 1 is perfect agreement, 0 is
 * chance. Null: no call was rated twice, or all ratings are equal.
 */
export function krippendorffAlpha(units: readonly Ratings[], metric: Metric): number | null {
  const values = occurringValues(units);
  const counted = units.map((ratings) => countValues(ratings, values)).filter((counts) => sum(counts) >= 2);
  // Coincidences: each call contributes its ordered pairs of ratings, divided by the number of ratings minus one.
  const pairsOf = (counts: readonly number[], c: number, k: number) =>
    (counts[c] ?? 0) * ((counts[k] ?? 0) - (c === k ? 1 : 0));
  const coincidence = (c: number, k: number) => sum(counted.map((counts) => pairsOf(counts, c, k) / (sum(counts) - 1)));
  const totals = values.map((_, c) => sum(values.map((__, k) => coincidence(c, k))));
  const difference = differenceOf(metric, values, totals);
  const overPairs = (term: (c: number, k: number) => number) =>
    sum(values.flatMap((_, c) => values.map((__, k) => term(c, k) * difference(c, k))));
  const observed = overPairs(coincidence);
  const expected = overPairs((c, k) => (totals[c] ?? 0) * (totals[k] ?? 0)) / (sum(totals) - 1);
  return expected > 0 ? 1 - observed / expected : null;
}
