const carefully = 0.97;
/** How much faster it is tried, as a part of the rate a second. */
const growth = { soon: 0.002, later: 0.01, laterMs: 60_000 };
/** What may be sent at once after nothing was sent for a while, in seconds of the rate. */
const burstSeconds = 0.05;

/**
 * Learns how many requests a second a service allows. Whenever it refuses one there was nothing left, so what it took
 * between two refusals is what it grants in that time. Without this a client that is faster than its limit would spend
 * half of its time waiting after refusals.
 */
export function openAllowance() {
  let perSecond = Number.POSITIVE_INFINITY;
  let refusedAt: number | undefined;
  let taken = 0;
  let saved = 0;
  let countedAt = 0;

  function count(now: number): void {
    const passedMs = now - countedAt;
    countedAt = now;
    const soon = now - (refusedAt ?? now) < growth.laterMs;
    perSecond *= 1 + ((soon ? growth.soon : growth.later) * passedMs) / 1000;
    saved = Math.min(Math.max(1, perSecond * burstSeconds), saved + (perSecond * passedMs) / 1000);
  }

  return {
    get perSecond() {
      return perSecond;
    },
    /** A request was taken by the service. */
    took(): void {
      taken++;
    },
    /** A request was refused, for there were too many. */
    refused(now: number): void {
      // Two refusals at nearly the same time are one.
      if (refusedAt !== undefined && now - refusedAt < 500) return;
      if (refusedAt !== undefined && taken > 0) perSecond = (carefully * taken * 1000) / (now - refusedAt);
      refusedAt = now;
      countedAt = now;
      taken = 0;
      saved = 0;
    },
    /** Uses up one request if it may be sent now (0); otherwise, in how many milliseconds it may. */
    take(now: number): number {
      if (perSecond === Number.POSITIVE_INFINITY) return 0;
      count(now);
      if (saved < 1) return Math.ceil(((1 - saved) / perSecond) * 1000);
      saved -= 1;
      return 0;
    },
  };
}
