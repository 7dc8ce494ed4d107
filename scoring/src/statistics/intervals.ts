import { sum } from "./ratings.ts";
import { studentQuantile } from "./student-t.ts";

/** A 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const probability = 0.975;
const normalQuantile = 1.959_963_984_540_054;
/** Errors below this come from rounding. */
const rounding = 1e-9;

/** Of a mean, from the count, the sum and the sum of squares. Null: fewer than two values. */
export function meanInterval(count: number, total: number, squares: number): Interval | null {
  if (count < 2) return null;
  const mean = total / count;
  const variance = Math.max(0, (squares - total * mean) / (count - 1));
  const margin = studentQuantile(probability, count - 1) * Math.sqrt(variance / count);
  return { low: mean - margin, high: mean + margin };
}

/** Sums over clusters of values: `n` is the count and `t` the sum of the values of a cluster. */
export interface ClusterSums {
  readonly clusters: number;
  /** Σn and Σt. */
  readonly count: number;
  readonly total: number;
  /** Σt², Σnt and Σn². */
  readonly squaredTotals: number;
  readonly products: number;
  readonly squaredCounts: number;
}

/** Of a mean whose values are dependent within clusters (cluster-robust). Null: fewer than two clusters. */
export function clusteredMeanInterval(sums: ClusterSums): Interval | null {
  const { clusters, count, total, squaredTotals, products, squaredCounts } = sums;
  if (clusters < 2) return null;
  const mean = total / count;
  const squares = Math.max(0, squaredTotals - 2 * mean * products + mean ** 2 * squaredCounts);
  const error = Math.sqrt((clusters / (clusters - 1)) * squares) / count;
  const margin = studentQuantile(probability, clusters - 1) * error;
  return { low: mean - margin, high: mean + margin };
}

/** Wilson's interval of a rate. Null: no trials. */
export function rateInterval(successes: number, trials: number): Interval | null {
  if (trials === 0) return null;
  const share = successes / trials;
  const square = normalQuantile ** 2;
  const centre = (share + square / (2 * trials)) / (1 + square / trials);
  const margin =
    (normalQuantile * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials ** 2))) / (1 + square / trials);
  return { low: Math.max(0, centre - margin), high: Math.min(1, centre + margin) };
}

/** A value of a statistic without one call, and how many calls give this value. */
export interface LeftOut {
  readonly value: number | null;
  readonly calls: number;
}

/**
 * Jackknife interval of a statistic over calls. Null: fewer than two calls, the statistic does not exist without some call, or it is
 * the same without each of them: then the calls tell nothing about its spread.
 */
export function jackknifeInterval(value: number | null, leftOut: readonly LeftOut[]): Interval | null {
  const calls = sum(leftOut.map((left) => left.calls));
  if (value === null || calls < 2) return null;
  const values: { readonly at: number; readonly calls: number }[] = [];
  for (const left of leftOut) {
    if (left.value === null) return null;
    values.push({ at: left.value, calls: left.calls });
  }
  const mean = sum(values.map((left) => left.calls * left.at)) / calls;
  const squares = sum(values.map((left) => left.calls * (left.at - mean) ** 2));
  const error = Math.sqrt(((calls - 1) / calls) * squares);
  if (error < rounding) return null;
  const margin = studentQuantile(probability, calls - 1) * error;
  return { low: value - margin, high: value + margin };
}
