const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Backoff: the delay after each failed attempt. About three days in total. */
export const retryDelaysMs = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * hour),
];

/** A webhook is disabled after this long without a success. */
export const disableAfterMs = 72 * hour;

const maxRetryAfterMs = hour;

/** Parses `Retry-After` (seconds or a date), capped at one hour. Returns undefined if it is invalid. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined || value.length > 64) return undefined;
  // Date.parse accepts many strings that are not HTTP dates.
  const date = / GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * second : date - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryAfterMs);
}

interface Failure {
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
  readonly retryAfterMs: number | undefined;
  readonly factor: number;
  /** Random number from 0 to 1, for jitter. */
  readonly chance: number;
}

/** Returns the delay before the next attempt, or undefined after the last one. Applies a jitter of ±20%. */
export function retryDelay({ attempts, retryAfterMs = 0, factor, chance }: Failure): number | undefined {
  const pause = retryDelaysMs[attempts - 1];
  if (pause === undefined) return undefined;
  return Math.max(pause * factor * (0.8 + 0.4 * chance), retryAfterMs);
}
