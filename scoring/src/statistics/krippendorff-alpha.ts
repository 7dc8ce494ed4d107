import { comparedUnits, type RatedUnit, sum } from "./ratings.ts";

export type Metric = "nominal" | "ordinal" | "interval" | "ratio";

/**
 * Krippendorff's α: agreement of any number of raters, corrected for chance, with missing ratings. 1 is perfect agreement, 0 is
 * chance. Null: no call was rated twice, or all ratings are equal.
 */
export const krippendorffAlpha = (units: readonly RatedUnit[], metric: Metric): number | null =>
  metric === "nominal" ? nominalAlpha(comparedUnits(units)) : alphaByMetric(comparedUnits(units), metric);

const alphaOf = (observed: number, expected: number) => (expected > 0 ? 1 - observed / expected : null);

/** Pairs of different ratings, divided by the number of ratings minus one. */
function differences({ counts, size }: RatedUnit): number {
  let equal = 0;
  for (const count of counts.values()) equal += count ** 2;
  return (size ** 2 - equal) / (size - 1);
}

/** From sums alone: there may be as many categories as calls. */
function nominalAlpha(units: readonly RatedUnit[]): number | null {
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
  return alphaOf(observed, (ratings ** 2 - squares) / (ratings - 1));
}

/** From the matrix of coincidences: each call adds its ordered pairs of ratings, divided by the number of ratings minus one. */
function alphaByMetric(units: readonly RatedUnit[], metric: Exclude<Metric, "nominal">): number | null {
  const values = [...new Set(units.flatMap(({ counts }) => [...counts.keys()]))].sort((a, b) => a - b);
  const places = new Map(values.map((value, place) => [value, place]));
  const coincidences = values.map(() => values.map(() => 0));
  const totals = values.map(() => 0);
  for (const { counts, size, calls } of units) {
    for (const [value, count] of counts) {
      const c = places.get(value) ?? 0;
      totals[c] = (totals[c] ?? 0) + calls * count;
      for (const [other, otherCount] of counts) {
        const row = coincidences[c] ?? [];
        const k = places.get(other) ?? 0;
        row[k] = (row[k] ?? 0) + (calls * count * (otherCount - (value === other ? 1 : 0))) / (size - 1);
      }
    }
  }
  const difference = differenceOf(metric, values, totals);
  let observed = 0;
  let expected = 0;
  for (const [c, row] of coincidences.entries())
    for (const [k, pairs] of row.entries()) {
      const squared = difference(c, k);
      observed += pairs * squared;
      expected += (totals[c] ?? 0) * (totals[k] ?? 0) * squared;
    }
  return alphaOf(observed, expected / (sum(totals) - 1));
}

/** Squared difference of two values, by their places in ascending order. */
function differenceOf(metric: Exclude<Metric, "nominal">, values: readonly number[], totals: readonly number[]) {
  const at = (numbers: readonly number[], place: number) => numbers[place] ?? 0;
  // Ratings up to and including each place.
  let running = 0;
  const upTo = totals.map((total) => (running += total));
  return (c: number, k: number): number => {
    if (metric === "ordinal") {
      const [low, high] = c < k ? [c, k] : [k, c];
      const between = at(upTo, high) - at(upTo, low - 1);
      return (between - (at(totals, c) + at(totals, k)) / 2) ** 2;
    }
    const distance = at(values, c) - at(values, k);
    if (metric === "interval") return distance ** 2;
    const total = at(values, c) + at(values, k);
    return total === 0 ? 0 : (distance / total) ** 2;
  };
}
