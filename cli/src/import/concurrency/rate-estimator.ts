/** Stay this far below the measured rate. */
const safetyFactor = 0.97;
/** Growth of the rate per second, to probe for a higher limit. */
const growth = { soon: 0.002, later: 0.01, laterMs: 60_000 };
/** Bucket size, in seconds of the rate. */
const burstSeconds = 0.05;

/**
 * Token bucket that learns the service's rate limit. A 429 means that the service's bucket was empty, so the requests
 * accepted between two 429s measure its refill rate. Without this, a client above its limit would spend half of its time
 * waiting after 429s.
 */
export function openRateEstimator() {
  let perSecond = Number.POSITIVE_INFINITY;
  let rejectedAt: number | undefined;
  let acceptedCount = 0;
  let tokens = 0;
  let refilledAt = 0;

  function refill(now: number): void {
    const passedMs = now - refilledAt;
    refilledAt = now;
    const soon = now - (rejectedAt ?? now) < growth.laterMs;
    perSecond *= 1 + ((soon ? growth.soon : growth.later) * passedMs) / 1000;
    tokens = Math.min(Math.max(1, perSecond * burstSeconds), tokens + (perSecond * passedMs) / 1000);
  }

  return {
    get perSecond() {
      return perSecond;
    },
    /** The service accepted a request. */
    accepted(): void {
      acceptedCount++;
    },
    /** The service rejected a request with 429. */
    rejected(now: number): void {
      // Count rejections within 500 ms as one.
      if (rejectedAt !== undefined && now - rejectedAt < 500) return;
      if (rejectedAt !== undefined && acceptedCount > 0)
        perSecond = (safetyFactor * acceptedCount * 1000) / (now - rejectedAt);
      rejectedAt = now;
      refilledAt = now;
      acceptedCount = 0;
      tokens = 0;
    },
    /** Takes a token and returns 0, or returns the milliseconds until one is available. */
    takeToken(now: number): number {
      if (perSecond === Number.POSITIVE_INFINITY) return 0;
      refill(now);
      if (tokens < 1) return Math.ceil(((1 - tokens) / perSecond) * 1000);
      tokens -= 1;
      return 0;
    },
  };
}
