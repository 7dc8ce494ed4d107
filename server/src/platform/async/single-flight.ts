/** Shares one run of a piece of work between concurrent callers, per key. Failures are never cached. */
export interface SingleFlight<Result> {
  /** Returns the cached result or the run in progress, or else starts `work`. */
  run(key: string, work: () => Promise<Result>): Promise<Result>;
}

export interface SingleFlightOptions<Result> {
  /** How long to cache a result after it arrives. Default: not at all. */
  readonly ttlMs?: number | ((result: Result) => number);
  /**
   * Maximum time between the start of a run and the last use of its result. A run that takes longer is no longer shared:
   * its result may be stale by the time it arrives.
   */
  readonly maxAgeMs?: number;
  /** Above this, the oldest entry is evicted. */
  readonly maxEntries?: number;
}

export function openSingleFlight<Result>(options: SingleFlightOptions<Result> = {}): SingleFlight<Result> {
  const { ttlMs = 0, maxAgeMs = Number.POSITIVE_INFINITY, maxEntries = Number.POSITIVE_INFINITY } = options;
  const ttlOf = typeof ttlMs === "function" ? ttlMs : () => ttlMs;
  const runs = new Map<string, Promise<Result>>();

  function evict(key: string, run: Promise<Result>): void {
    if (runs.get(key) === run) runs.delete(key);
  }

  function evictAfter(ms: number, key: string, run: Promise<Result>): void {
    if (ms <= 0) evict(key, run);
    else if (Number.isFinite(ms)) setTimeout(evict, ms, key, run).unref();
  }

  function start(key: string, work: () => Promise<Result>): Promise<Result> {
    const run = work();
    const [oldest] = runs.keys();
    if (runs.size >= maxEntries && oldest !== undefined) runs.delete(oldest);
    runs.set(key, run);
    evictAfter(maxAgeMs, key, run);
    run.then(
      (result) => evictAfter(ttlOf(result), key, run),
      () => evict(key, run),
    );
    return run;
  }

  return { run: (key, work) => runs.get(key) ?? start(key, work) };
}

/** Single-flight for one piece of work, whose result is cached for the TTL. */
export function cacheResult<Result>(
  ttlMs: number | ((result: Result) => number),
  work: () => Promise<Result>,
): () => Promise<Result> {
  const flight = openSingleFlight<Result>({ ttlMs });
  return () => flight.run("", work);
}

/** Runs `work` once and returns the same promise to all callers. After a failure, the next call tries again. */
export const once = <Result>(work: () => Promise<Result>) => cacheResult(Number.POSITIVE_INFINITY, work);
