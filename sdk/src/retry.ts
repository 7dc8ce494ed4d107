import { mayRetry, ServiceError } from "./service-error.ts";

export interface RetryPolicy {
  /** How often a request is sent at most. 1: never again. */
  readonly attempts: number;
  /** The pause before the second attempt is up to this long, before the third up to twice as long, … */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Retries may be this part of all requests; what is saved up is bounded by `reserve`. */
  readonly budget: { readonly perRequest: number; readonly reserve: number };
}

export const defaultRetries: RetryPolicy = {
  attempts: 6,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  budget: { perRequest: 0.2, reserve: 20 },
};

/** How many retries are left to a client. While a service is down, many clients must not multiply their requests. */
export function openBudget({ perRequest, reserve }: RetryPolicy["budget"]) {
  let left = reserve;
  return {
    earn() {
      left = Math.min(reserve, left + perRequest);
    },
    spend(): boolean {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
export type RetryBudget = ReturnType<typeof openBudget>;

/** The pause before another attempt: never before the service asks for it, and never the same for two clients. */
export function pauseBefore(attempt: number, policy: RetryPolicy, askedMs = 0, random = Math.random()): number {
  const most = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (attempt - 2));
  return askedMs + random * most;
}

/** Sends until it succeeds, until the failure is no passing one, or until attempts or budget are used up. */
export async function withRetries<T>(
  send: (attempt: number) => Promise<T>,
  options: { policy: RetryPolicy; budget: RetryBudget; signal?: AbortSignal | undefined; repeatable: boolean },
): Promise<T> {
  const { policy, budget, signal, repeatable } = options;
  budget.earn();
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      const passing = error instanceof ServiceError && mayRetry(error) && (repeatable || error.status === 429);
      if (!passing || attempt >= policy.attempts || !budget.spend()) throw error;
      await pause(pauseBefore(attempt + 1, policy, error.retryAfterMs), signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
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
