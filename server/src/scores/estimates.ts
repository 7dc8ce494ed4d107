import type { ReviewerSeverity, ScoreEstimate } from "@hearback/contract";
import {
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

const toHundredths = (value: number) => Math.round(Math.min(10_000, Math.max(0, value)));

export const toEstimate = (n: number, value: number | null, interval: Interval | null): ScoreEstimate => ({
  n,
  value: value === null ? null : toHundredths(value),
  low: interval && toHundredths(interval.low),
  high: interval && toHundredths(interval.high),
});

/** The mean score with the t interval. A score has 0 to 10000 hundredths, and so has its interval. */
export const estimateMean = ({ scored, scoreTotal, scoreSquares }: ScoreSums): ScoreEstimate =>
  toEstimate(scored, scored === 0 ? null : scoreTotal / scored, meanInterval(scored, scoreTotal, scoreSquares));

/** A rate with Wilson's interval, in hundredths of a percent. */
export function estimateRate(successes: number, trials: number): ScoreEstimate {
  const interval = rateInterval(successes, trials);
  const percent = interval && { low: interval.low * 10_000, high: interval.high * 10_000 };
  return toEstimate(trials, trials === 0 ? null : (successes / trials) * 10_000, percent);
}

/**
 * A rate in hundredths of a percent, of values that are dependent within clusters. `n` is the number of clusters. Clusters that are all
 * equal tell nothing about the spread: then there is no interval.
 */
export function estimateClusters(sums: ClusterSums): ScoreEstimate {
  const interval = clusteredMeanInterval(sums);
  const isKnown = interval !== null && interval.high > interval.low;
  return toEstimate(sums.clusters, sums.count === 0 ? null : sums.total / sums.count, isKnown ? interval : null);
}

const toDifference = (value: number) => Math.round(Math.min(10_000, Math.max(-10_000, value)));

/** The mean of differences that are dependent within clusters, from -10000 to 10000 hundredths. */
export function estimateDifference(sums: ClusterSums): ReviewerSeverity {
  const interval = clusteredMeanInterval(sums);
  return {
    n: sums.count,
    value: sums.count === 0 ? null : toDifference(sums.total / sums.count),
    low: interval && toDifference(interval.low),
    high: interval && toDifference(interval.high),
  };
}
