import { sum } from "./ratings.ts";
import { studentQuantile } from "./student-t.ts";

/** A 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The lowest and the highest possible value of a statistic. */
export interface Bounds {
  readonly lowest: number;
  readonly highest: number;
}

const probability = 0.975;
const normalQuantile = 1.959_963_984_540_054;
/** Standard errors below this share of the possible range come from rounding. */
const rounding = 1e-9;

/** Wilson's interval with continuity correction of a share of `size` trials, 1 or more. */
function wilsonInterval(share: number, size: number, quantile: number): Interval {
  const square = quantile ** 2;
  const half = 1 / (2 * size);
  const end = (sign: 1 | -1) => {
    const root = Math.sqrt(square + sign * 2 - 1 / size + 4 * share * (size * (1 - share) - sign));
    return (2 * size * share + square + sign * (1 + quantile * root)) / (2 * (size + square));
  };
  return { low: share <= half ? 0 : end(-1), high: 1 - share <= half ? 1 : end(1) };
}

/** Of a rate. Null: no trials. */
export const rateInterval = (successes: number, trials: number): Interval | null =>
  trials === 0 ? null : wilsonInterval(successes / trials, trials, normalQuantile);

/**
 * Of a statistic that has bounds: Wilson's interval of a share that lies as far between 0 and 1 and has this standard error. Unlike an
 * interval around the value, it covers also near the bounds. Null: the standard error is 0, so nothing is known about the spread.
 */
export function boundedInterval(
  value: number,
  error: number,
  { lowest, highest, degrees }: Bounds & { readonly degrees: number },
): Interval | null {
  const range = highest - lowest;
  const spread = error / range;
  if (spread < rounding) return null;
  const share = (value - lowest) / range;
  const size = Math.max(1, (share * (1 - share)) / spread ** 2);
  const { low, high } = wilsonInterval(share, size, studentQuantile(probability, degrees));
  return { low: lowest + range * low, high: lowest + range * high };
}

/** Of a mean, from the count, the sum and the sum of squares. Null: fewer than two values, or all of them are equal. */
export function meanInterval(count: number, total: number, squares: number, bounds: Bounds): Interval | null {
  if (count < 2) return null;
  const mean = total / count;
  const variance = Math.max(0, (squares - total * mean) / (count - 1));
  return boundedInterval(mean, Math.sqrt(variance / count), { ...bounds, degrees: count - 1 });
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

/**
 * Of a mean whose values are dependent within clusters (cluster-robust). A few large clusters tell as little as their effective number
 * (Σn)²/Σn². Null: that is less than two, or all clusters have the same mean.
 */
export function clusteredMeanInterval(sums: ClusterSums, bounds: Bounds): Interval | null {
  const { count, total, squaredTotals, products, squaredCounts } = sums;
  const clusters = count ** 2 / squaredCounts;
  if (!(clusters >= 2)) return null;
  const mean = total / count;
  const squares = Math.max(0, squaredTotals - 2 * mean * products + mean ** 2 * squaredCounts);
  const error = Math.sqrt((clusters / (clusters - 1)) * squares) / count;
  return boundedInterval(mean, error, { ...bounds, degrees: clusters - 1 });
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
export function jackknifeInterval(value: number | null, leftOut: readonly LeftOut[], bounds: Bounds): Interval | null {
  const calls = sum(leftOut.map((left) => left.calls));
  if (value === null || calls < 2) return null;
  const values: { readonly at: number; readonly calls: number }[] = [];
  for (const left of leftOut) {
    if (left.value === null) return null;
    values.push({ at: left.value, calls: left.calls });
  }
  const mean = sum(values.map((left) => left.calls * left.at)) / calls;
  const squares = sum(values.map((left) => left.calls * (left.at - mean) ** 2));
  return boundedInterval(value, Math.sqrt(((calls - 1) / calls) * squares), { ...bounds, degrees: calls - 1 });
}
