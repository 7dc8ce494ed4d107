const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses after each attempt that failed: about three days in all. */
export const pausesMs = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[1, 2, 4, 8, 12, 20, 24].map((hours) => hours * hour),
];

/** For how long an endpoint may take nothing before it is disabled. */
export const patienceMs = 72 * hour;

const longestWishMs = hour;

/** What `Retry-After` asks for: seconds or a date, an hour at most. Undefined: nothing that we understand. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined || value.length > 64) return undefined;
  // Date.parse takes much for a date that is none.
  const date = / GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * second : date - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestWishMs);
}

interface Failure {
  /** How many attempts there have been, this one included. */
  readonly attempts: number;
  readonly retryAfterMs: number | undefined;
  readonly factor: number;
  /** From 0 to 1. */
  readonly chance: number;
}

/** How long to wait after an attempt that failed. Undefined: that was the last. */
export function pauseAfter({ attempts, retryAfterMs = 0, factor, chance }: Failure): number | undefined {
  const pause = pausesMs[attempts - 1];
  if (pause === undefined) return undefined;
  return Math.max(pause * factor * (0.8 + 0.4 * chance), retryAfterMs);
}
