import { mayRetry, ServiceError } from "./service-error.ts";

export interface RetryPolicy {
  /** How often a request is sent at most. 1: never again. */
  readonly attempts: number;
  /** The pause before the second attempt is up to this long, before the third up to twice as long, … */
  readonly firstPauseMs: number;
  /** … and never longer than this. */
  readonly longestPauseMs: number;
  /** If the service asks to wait for longer than this, the caller decides. */
  readonly longestAskedMs: number;
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
  longestAskedMs: 60_000,
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

/** For how long the service has given a client no answer, whichever request asked. */
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

interface Pause {
  /** Which attempt comes after it. */
  readonly attempt: number;
  readonly policy: RetryPolicy;
  readonly askedMs?: number | undefined;
  /** A new request to a service that is down for long is as patient as the old ones. */
  readonly outageMs?: number;
  readonly random?: number;
}

/** The pause before another attempt: never before the service asks for it, and never the same for two clients. */
export function pauseBefore({ attempt, policy, askedMs, outageMs = 0, random = Math.random() }: Pause): number {
  const most = Math.min(policy.longestPauseMs, Math.max(policy.firstPauseMs * 2 ** (attempt - 2), outageMs / 4));
  return askedMs === undefined ? (most * (1 + random)) / 2 : askedMs + random * most;
}

interface Retrying {
  readonly policy: RetryPolicy;
  readonly budget: RetryBudget;
  readonly outage: Outage;
  readonly signal: AbortSignal | undefined;
  /** Whether doing it twice is the same as doing it once. If not, it is sent again only if nothing was done. */
  readonly repeatable: boolean;
}

const isOutage = ({ status }: ServiceError) => status === 0 || (status >= 502 && status <= 504);

/** Sends until it succeeds, until the failure is no passing one, or until all attempts are used up. */
export async function withRetries<T>(send: (attempt: number) => Promise<T>, retrying: Retrying): Promise<T> {
  const { policy, budget, outage, signal, repeatable } = retrying;
  budget.earn();
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      const answer = await send(attempt);
      outage.end();
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      if (!isOutage(error)) outage.end();
      const outageMs = isOutage(error) ? outage.lastsMs() : 0;
      if (!mayRetry(error) || !(repeatable || error.nothingDone)) throw error;
      const most = error.status === 500 ? Math.min(policy.attempts, attemptsAtDefects) : policy.attempts;
      if (attempt >= most || (error.retryAfterMs ?? 0) > policy.longestAskedMs) throw error;
      const pauseMs = pauseBefore({ attempt: attempt + 1, policy, askedMs: error.retryAfterMs, outageMs });
      await pause(pauseMs + budget.spend(), signal);
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
