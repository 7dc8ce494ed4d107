import { comparedUnits, type RatedUnit, type Statistic } from "./ratings.ts";

export type Metric = "nominal" | "ordinal" | "interval" | "ratio";

/**
 * Krippendorff's α: agreement of any number of raters, corrected for chance, with missing ratings. 1 is perfect agreement, 0 is
 * chance. Null: no call was rated twice, or all ratings are equal.
 */
export const krippendorffAlpha = (units: readonly RatedUnit[], metric: Metric): Statistic =>
  metric === "nominal" ? nominalAlpha(comparedUnits(units)) : alphaByMetric(comparedUnits(units), metric);

const alphaOf = (observed: number, expected: number) => (expected > 0 ? 1 - observed / expected : null);

/** Pairs of different ratings, divided by the number of ratings minus one. */
function differences({ counts, size }: RatedUnit): number {
  let equal = 0;
  for (const count of counts.values()) equal += count ** 2;
  return (size ** 2 - equal) / (size - 1);
}

/** From sums alone: there may be as many categories as calls. */
function nominalAlpha(units: readonly RatedUnit[]): Statistic {
  let observed = 0;
  let ratings = 0;
  const totals = new Map<number, number>();
  for (const unit of units) {
    observed += unit.calls * differences(unit);
    ratings += unit.calls * unit.size;
    for (const [c, count] of unit.counts) totals.set(c, (totals.get(c) ?? 0) + unit.calls * count);
  }
  let squares = 0;
  for (const total of totals.values()) squares += total ** 2;
  const alpha = (pairs: number, size: number, equal: number) => alphaOf(pairs, (size ** 2 - equal) / (size - 1));
  return {
    value: alpha(observed, ratings, squares),
    without: (unit) => {
      if (unit.size < 2) return alpha(observed, ratings, squares);
      let left = squares;
      for (const [c, count] of unit.counts) {
        const total = totals.get(c) ?? 0;
        left += (total - count) ** 2 - total ** 2;
      }
      return alpha(observed - differences(unit), ratings - unit.size, left);
    },
  };
}

/** From the matrix of coincidences: each call adds its ordered pairs of ratings, divided by the number of ratings minus one. */
function alphaByMetric(units: readonly RatedUnit[], metric: Exclude<Metric, "nominal">): Statistic {
  const values = [...new Set(units.flatMap(({ counts }) => [...counts.keys()]))].sort((a, b) => a - b);
  const places = new Map(values.map((value, place) => [value, place]));
  const coincidences = values.map(() => values.map(() => 0));
  const totals = values.map(() => 0);
  function addTo(matrix: number[][], sums: number[], { counts, size }: RatedUnit, times: number): void {
    for (const [value, count] of counts) {
      const c = places.get(value) ?? 0;
      sums[c] = (sums[c] ?? 0) + times * count;
      for (const [other, otherCount] of counts) {
        const row = matrix[c] ?? [];
        const k = places.get(other) ?? 0;
        row[k] = (row[k] ?? 0) + (times * count * (otherCount - (value === other ? 1 : 0))) / (size - 1);
      }
    }
  }
  for (const unit of units) addTo(coincidences, totals, unit, unit.calls);
  const alpha = (matrix: readonly (readonly number[])[], sums: readonly number[]) => {
    const difference = differenceOf(metric, values, sums);
    let observed = 0;
    let expected = 0;
    let ratings = 0;
    for (const [c, row] of matrix.entries()) {
      ratings += sums[c] ?? 0;
      for (const [k, pairs] of row.entries()) {
        const squared = difference(c, k);
        observed += pairs * squared;
        expected += (sums[c] ?? 0) * (sums[k] ?? 0) * squared;
      }
    }
    return alphaOf(observed, expected / (ratings - 1));
  };
  return {
    value: alpha(coincidences, totals),
    without: (unit) => {
      if (unit.size < 2) return alpha(coincidences, totals);
      const [matrix, sums] = [coincidences.map((row) => [...row]), [...totals]];
      addTo(matrix, sums, unit, -1);
      return alpha(matrix, sums);
    },
  };
}

/** Squared difference of two values, by their places in ascending order. */
function differenceOf(metric: Exclude<Metric, "nominal">, values: readonly number[], totals: readonly number[]) {
  const at = (numbers: readonly number[], place: number) => numbers[place] ?? 0;
  // Ratings up to and including each place.
  let running = 0;
  const upTo = totals.map((total) => (running += total));
  return (c: number, k: number): number => {
    if (c === k) return 0;
    if (metric === "ordinal") {
      const [low, high] = c < k ? [c, k] : [k, c];
      const between = at(upTo, high) - (low > 0 ? at(upTo, low - 1) : 0);
      return (between - (at(totals, c) + at(totals, k)) / 2) ** 2;
    }
    const distance = at(values, c) - at(values, k);
    if (metric === "interval") return distance ** 2;
    const total = at(values, c) + at(values, k);
    return total === 0 ? 0 : (distance / total) ** 2;
  };
}
