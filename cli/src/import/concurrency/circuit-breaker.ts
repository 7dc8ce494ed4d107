import type { ServiceError } from "@hearback/sdk";
import { ImportStopped } from "../import-stopped.ts";
import { isRateLimited, retryReason } from "./retryable-errors.ts";

const backoff = { firstMs: 500, maxMs: 30_000, afterRefusalMs: 250 };

const now = () => performance.now();

/** Exponential backoff with jitter, never shorter than Retry-After. */
function pauseMsAfter(error: ServiceError, faults: number): number {
  const askedMs = error.retryAfterMs ?? 0;
  const backoffMs = Math.min(backoff.maxMs, backoff.firstMs * 2 ** (faults - 1));
  if (isRateLimited(error)) return askedMs + Math.random() * Math.max(backoff.afterRefusalMs, backoffMs / 4);
  return askedMs > 0 ? askedMs + Math.random() * backoffMs : backoffMs * (0.5 + Math.random() / 2);
}

function gaveUp(reason: string, giveUpAfterMs: number, cause: unknown): ImportStopped {
  const after =
    giveUpAfterMs >= 60_000 ? `${Math.round(giveUpAfterMs / 60_000)} min` : `${Math.round(giveUpAfterMs / 1000)} s`;
  const detail = `Gave up after ${after}: ${reason}. Nothing was lost; run the same command again to resume.`;
  return new ImportStopped(detail, 4, { cause });
}

interface BreakerStatus {
  state: "closed" | "open" | "half-open";
  /** Incremented by every pause. */
  epoch: number;
  /** Set after giving up. */
  failure: ImportStopped | undefined;
}

interface CircuitBreakerOptions {
  /** Give up after this time without a success. */
  readonly giveUpAfterMs: number;
  /** The pause is over: one probe may be sent. */
  readonly onHalfOpen: () => void;
  readonly onGiveUp: (why: ImportStopped) => void;
}

/** Circuit breaker: a fault pauses all requests, then one probe is sent, and its success resumes all. */
export function openCircuitBreaker({ giveUpAfterMs, onHalfOpen, onGiveUp }: CircuitBreakerOptions) {
  const status: BreakerStatus = { state: "closed", epoch: 0, failure: undefined };
  let faults = 0;
  let failingSince: number | undefined;
  let reason = "";
  let retryAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function pause(error: ServiceError, maxMs: number): void {
    faults++;
    status.epoch++;
    const pauseMs = Math.min(pauseMsAfter(error, faults), Math.max(1000, maxMs));
    status.state = "open";
    retryAt = now() + pauseMs;
    timer = setTimeout(() => {
      status.state = "half-open";
      onHalfOpen();
    }, pauseMs);
  }

  return {
    status: status as Readonly<BreakerStatus>,
    /** Why requests are paused, for display. */
    get waiting(): string | undefined {
      if (status.state === "closed") return undefined;
      const seconds = Math.ceil((retryAt - now()) / 1000);
      return seconds > 0 ? `${reason}; retrying in ${seconds} s` : `${reason}; retrying`;
    },
    succeeded(): void {
      failingSince = undefined;
    },
    /** The probe succeeded. */
    close(): void {
      status.state = "closed";
      faults = 0;
    },
    /** Returns whether a pause starts. Requests that started before the last pause are ignored. */
    failed(began: number, error: ServiceError): boolean {
      failingSince ??= now();
      if (began !== status.epoch) return false;
      reason = retryReason(error);
      const leftMs = failingSince + giveUpAfterMs - now();
      if (leftMs > 0) pause(error, leftMs);
      else status.failure = gaveUp(reason, giveUpAfterMs, error);
      if (status.failure) onGiveUp(status.failure);
      return leftMs > 0;
    },
    /** With no waiting requests, the timer must not keep the process alive. */
    keepProcessAlive(needed: boolean): void {
      if (needed) timer?.ref();
      else timer?.unref();
    },
  };
}
export type CircuitBreaker = ReturnType<typeof openCircuitBreaker>;
