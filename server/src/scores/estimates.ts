import type { ReviewerSeverity, ScoreEstimate } from "@hearback/contract";
import {
  type Bounds,
  type ClusterSums,
  clusteredMeanInterval,
  type Interval,
  meanInterval,
  rateInterval,
} from "@hearback/scoring/statistics/intervals";

interface ScoreSums {
  readonly scored: number;
  readonly scoreTotal: number;
  readonly scoreSquares: number;
}

/** Of a score in hundredths. */
export const scoreBounds: Bounds = { lowest: 0, highest: 10_000 };
const differenceBounds: Bounds = { lowest: -10_000, highest: 10_000 };

const toEstimate = (n: number, value: number | null, interval: Interval | null): ScoreEstimate => ({
  n,
  value: value === null ? null : Math.round(value),
  low: interval && Math.round(interval.low),
  high: interval && Math.round(interval.high),
});

/** A score that is shrunk to that of its group. Null: it has none. */
export const estimateShrunk = (
  n: number,
  shrunk: { readonly mean: number; readonly interval: Interval | null } | null,
): ScoreEstimate => toEstimate(n, shrunk?.mean ?? null, shrunk?.interval ?? null);

/** The mean score. Scores that are all equal say nothing about their spread: then there is no interval. */
export const estimateMean = ({ scored, scoreTotal, scoreSquares }: ScoreSums): ScoreEstimate =>
  toEstimate(
    scored,
    scored === 0 ? null : scoreTotal / scored,
    meanInterval(scored, scoreTotal, scoreSquares, scoreBounds),
  );

/** A rate with Wilson's interval, in hundredths of a percent. */
export function estimateRate(successes: number, trials: number): ScoreEstimate {
  const interval = rateInterval(successes, trials);
  const percent = interval && { low: interval.low * 10_000, high: interval.high * 10_000 };
  return toEstimate(trials, trials === 0 ? null : (successes / trials) * 10_000, percent);
}

/** A rate in hundredths of a percent, of values that are dependent within clusters. `n` is the number of clusters. */
export const estimateClusters = (sums: ClusterSums): ScoreEstimate =>
  toEstimate(
    sums.clusters,
    sums.count === 0 ? null : sums.total / sums.count,
    clusteredMeanInterval(sums, scoreBounds),
  );

/** The mean of differences that are dependent within clusters, from -10000 to 10000 hundredths. */
export const estimateDifference = (sums: ClusterSums): ReviewerSeverity =>
  toEstimate(
    sums.count,
    sums.count === 0 ? null : sums.total / sums.count,
    clusteredMeanInterval(sums, differenceBounds),
  );
