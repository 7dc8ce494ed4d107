const second = 1000;

/** The circuit opens after this time or this many consecutive failures. Then the webhook gets one probe at a time. */
const opensAfterMs = 10 * second;
const opensAfterFailures = 20;
const minDelayMs = 2 * second;
const maxDelayMs = 60 * second;

interface Health {
  readonly failingSince: Date | null;
  /** Consecutive failures in this run. */
  readonly failures: number;
  readonly now: Date;
  /** WEBHOOK_RETRY_FACTOR, which shortens delays in tests. */
  readonly factor: number;
}

export function isOpen({ failingSince, failures, now, factor }: Health): boolean {
  if (failures >= opensAfterFailures) return true;
  return failingSince !== null && now.getTime() - failingSince.getTime() >= opensAfterMs * factor;
}

/** Delay after a failed probe: 1/60 of the time the webhook has been failing, between 2 and 60 seconds. */
export function probeDelay({ failingSince, now, factor }: Omit<Health, "failures">): number {
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  return Math.min(Math.max(failingMs / 60, minDelayMs * factor), maxDelayMs * factor);
}
