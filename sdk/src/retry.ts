import { mayRetry, ServiceError } from "./service-error.ts";

export interface RetryPolicy {
  /** How often a request is sent at most. 1: never again. */
  readonly attempts: number;
  /** The pause before the second attempt is up to this long, before the third up to twice as long, … */
  readonly firstPauseMs: number;
  /** … and never longer than this. A service that asks for a longer wait is not asked again: the caller decides. */
  readonly longestPauseMs: number;
  /**
   * How many retries a client has in reserve, and how they come back: with every request and with time. A retry that is
   * not covered waits until it is.
   */
  readonly budget: { readonly reserve: number; readonly perRequest: number; readonly perSecond: number };
}

/** Nine pauses of 38 s at least and 76 s at most: a restart of the service passes unnoticed. */
export const defaultRetries: RetryPolicy = {
  attempts: 10,
  firstPauseMs: 500,
  longestPauseMs: 15_000,
  budget: { reserve: 20, perRequest: 0.2, perSecond: 4 },
};

/** A failure that is a defect (500) rarely passes. */
const attemptsAtDefects = 3;

/** How many retries are left to a client: while a service is down, its clients must not multiply their requests. */
export function openBudget({ reserve, perRequest, perSecond }: RetryPolicy["budget"], clock = () => performance.now()) {
  let left = reserve;
  let lookedAt = clock();
  const earn = (more: number) => {
    const now = clock();
    left = Math.min(reserve, left + more + ((now - lookedAt) / 1000) * perSecond);
    lookedAt = now;
  };
  return {
    earn: () => earn(perRequest),
    /** Takes one and says how long to wait until it is covered. */
    spend(): number {
      earn(0);
      left -= 1;
      return left >= 0 ? 0 : (-left / perSecond) * 1000;
    },
  };
}
export type RetryBudget = ReturnType<typeof openBudget>;

/** The pause before another attempt: never before the service asks for it, and never the same for two clients. */
export function pauseBefore(attempt: number, policy: RetryPolicy, askedMs?: number, random = Math.random()): number {
  const most = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (attempt - 2));
  return askedMs === undefined ? (most * (1 + random)) / 2 : askedMs + random * most;
}

interface Retrying {
  readonly policy: RetryPolicy;
  readonly budget: RetryBudget;
  readonly signal: AbortSignal | undefined;
  /** Whether doing it twice is the same as doing it once. If not, it is sent again only if nothing was done. */
  readonly repeatable: boolean;
}

/** Sends until it succeeds, until the failure is no passing one, or until all attempts are used up. */
export async function withRetries<T>(send: (attempt: number) => Promise<T>, retrying: Retrying): Promise<T> {
  const { policy, budget, signal, repeatable } = retrying;
  budget.earn();
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await send(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ServiceError) || !mayRetry(error) || !(repeatable || error.nothingDone)) throw error;
      const most = error.status === 500 ? Math.min(policy.attempts, attemptsAtDefects) : policy.attempts;
      if (attempt >= most || (error.retryAfterMs ?? 0) > policy.longestPauseMs) throw error;
      await pause(pauseBefore(attempt + 1, policy, error.retryAfterMs) + budget.spend(), signal);
    }
  }
}

/** Waits, or fails with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
