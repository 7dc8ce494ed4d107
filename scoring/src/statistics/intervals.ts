import { sum } from "./ratings.ts";
import { studentQuantile } from "./student-t.ts";

/** A 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const probability = 0.975;
const normalQuantile = 1.959_963_984_540_054;

/** Of a mean, from the count, the sum and the sum of squares. Null: fewer than two values. */
export function meanInterval(count: number, total: number, squares: number): Interval | null {
  if (count < 2) return null;
  const mean = total / count;
  const variance = Math.max(0, (squares - total * mean) / (count - 1));
  const margin = studentQuantile(probability, count - 1) * Math.sqrt(variance / count);
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

/** Jackknife interval of a statistic over calls. Null: too few calls, or the statistic does not exist for some. */
export function jackknifeInterval<Unit>(
  units: readonly Unit[],
  statistic: (units: readonly Unit[]) => number | null,
): Interval | null {
  const value = statistic(units);
  if (value === null || units.length < 2) return null;
  const left: number[] = [];
  for (const at of units.keys()) {
    const one = statistic(units.toSpliced(at, 1));
    if (one === null) return null;
    left.push(one);
  }
  const { length } = left;
  const mean = sum(left) / length;
  const error = Math.sqrt(((length - 1) / length) * sum(left.map((one) => (one - mean) ** 2)));
  const margin = studentQuantile(probability, length - 1) * error;
  return { low: value - margin, high: value + margin };
}
