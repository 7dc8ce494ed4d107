import { isRetryable, ServiceError } from "./service-error.ts";

export interface RetryPolicy {
  /** Maximum number of attempts. 1: no retries. */
  readonly attempts: number;
  /** Maximum backoff before the second attempt. Doubles with every further attempt. */
  readonly initialBackoffMs: number;
  /** Upper bound of the backoff. */
  readonly maxBackoffMs: number;
  /** If Retry-After is longer than this, the request fails without another attempt. */
  readonly maxRetryAfterMs: number;
  /**
   * Token bucket that limits the retries of a client. `reserve` is its capacity; it refills with every request and over
   * time. A retry waits until a token is available.
   */
  readonly budget: { readonly reserve: number; readonly perRequest: number; readonly perSecond: number };
}

/** Nine backoffs of 38 to 76 s in total: long enough for a restart of the service. */
export const defaultRetries: RetryPolicy = {
  attempts: 10,
  initialBackoffMs: 500,
  maxBackoffMs: 15_000,
  maxRetryAfterMs: 60_000,
  budget: { reserve: 20, perRequest: 0.2, perSecond: 4 },
};

/** Maximum attempts after an internal error (500), which a retry rarely fixes. */
const maxAttemptsAt500 = 3;

/**
 * Retry budget (token bucket) of a client. It keeps clients from multiplying their requests while the service is down.
 */
export function openBudget({ reserve, perRequest, perSecond }: RetryPolicy["budget"], clock = () => performance.now()) {
  let tokens = reserve;
  let refilledAt = clock();
  const refill = (added: number) => {
    const now = clock();
    tokens = Math.min(reserve, tokens + added + ((now - refilledAt) / 1000) * perSecond);
    refilledAt = now;
  };
  return {
    earn: () => refill(perRequest),
    /** Takes a token and returns the time in ms until it is available. */
    spend(): number {
      refill(0);
      tokens -= 1;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
  };
}
export type RetryBudget = ReturnType<typeof openBudget>;

/** Tracks how long the service has been unreachable, across all requests of a client. */
export function openOutage(clock = () => performance.now()) {
  let since: number | undefined;
  return {
    end() {
      since = undefined;
    },
    lastsMs(): number {
      since ??= clock();
      return clock() - since;
    },
  };
}
export type Outage = ReturnType<typeof openOutage>;

interface BackoffInput {
  /** Number of the next attempt. */
  readonly attempt: number;
  readonly policy: RetryPolicy;
  readonly retryAfterMs?: number | undefined;
  /** Duration of the current outage. New requests during a long outage start with a long backoff. */
  readonly outageMs?: number;
  readonly random?: number;
}

/** Backoff before an attempt: exponential, with jitter, and never shorter than Retry-After. */
export function backoffMs({
  attempt,
  policy,
  retryAfterMs,
  outageMs = 0,
  random = Math.random(),
}: BackoffInput): number {
  const max = Math.min(policy.maxBackoffMs, Math.max(policy.initialBackoffMs * 2 ** (attempt - 2), outageMs / 4));
  return retryAfterMs === undefined ? (max * (1 + random)) / 2 : retryAfterMs + random * max;
}

interface RetryContext {
  readonly policy: RetryPolicy;
  readonly budget: RetryBudget;
  readonly outage: Outage;
  readonly signal: AbortSignal | undefined;
  /** Whether the request is idempotent. If not, it is retried only if the server did nothing. */
  readonly repeatable: boolean;
}

const isOutage = ({ status }: ServiceError) => status === 0 || (status >= 502 && status <= 504);

/** Retries temporary failures until the request succeeds or all attempts are used. */
export async function withRetries<T>(send: (attempt: number) => Promise<T>, context: RetryContext): Promise<T> {
  const { policy, budget, outage, signal, repeatable } = context;
  budget.earn();
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      const result = await send(attempt);
      outage.end();
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      if (!isOutage(error)) outage.end();
      const outageMs = isOutage(error) ? outage.lastsMs() : 0;
      if (!isRetryable(error) || !(repeatable || error.nothingDone)) throw error;
      const maxAttempts = error.status === 500 ? Math.min(policy.attempts, maxAttemptsAt500) : policy.attempts;
      if (attempt >= maxAttempts || (error.retryAfterMs ?? 0) > policy.maxRetryAfterMs) throw error;
      const waitMs = backoffMs({ attempt: attempt + 1, policy, retryAfterMs: error.retryAfterMs, outageMs });
      await pause(waitMs + budget.spend(), signal);
    }
  }
}

/** Sleeps. Rejects with the signal's reason when it is aborted. */
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
