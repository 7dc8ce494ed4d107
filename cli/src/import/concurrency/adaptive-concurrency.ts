import { ServiceError } from "@hearback/sdk";
import type { ImportStopped } from "../import-stopped.ts";
import { openCircuitBreaker } from "./circuit-breaker.ts";
import { openRateEstimator } from "./rate-estimator.ts";
import { openRequestSlots, type RequestSlot } from "./request-slots.ts";
import { isRateLimited, isRetryable } from "./retryable-errors.ts";

export interface ConcurrencyOptions {
  /** Maximum number of concurrent requests. */
  readonly max?: number | undefined;
  /** Give up after this time without a success. */
  readonly giveUpAfterMs?: number | undefined;
}

interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after every retryable error. Returns true to fail this request; the others continue. */
  readonly giveUp?: ((error: ServiceError, attempt: number) => boolean) | undefined;
}

/** Concurrency window with slow start: doubles up to a threshold, then grows by one per round; halves after a fault. */
function openWindow(max: number) {
  let size = Math.min(4, max);
  let doubleTo = max;
  return {
    get size() {
      return Math.floor(size);
    },
    grow() {
      size = Math.min(max, size + (size < doubleTo ? 1 : 1 / size));
    },
    halve() {
      size = doubleTo = Math.max(1, size / 2);
    },
    /** Slow start after a fault: back to 1, then doubling up to the halved size. */
    restart() {
      size = 1;
    },
  };
}

/**
 * Limits concurrent requests to what the service can handle: an AIMD window, a rate estimator and a circuit breaker.
 * When the service rejects requests or is unreachable, all requests wait, then one probe is sent. After it succeeds, the
 * window grows again from 1, so a recovering service never gets more load than before.
 */
export function openAdaptiveConcurrency({ max = 16, giveUpAfterMs = 3_600_000 }: ConcurrencyOptions = {}) {
  const rateEstimator = openRateEstimator();
  const window = openWindow(max);
  const handlers = { onHalfOpen: () => slots.startQueued(), onGiveUp: (why: ImportStopped) => slots.stopAll(why) };
  const breaker = openCircuitBreaker({ giveUpAfterMs, ...handlers });
  const slots = openRequestSlots({ window, rateEstimator, breaker });

  function succeeded(slot: RequestSlot): void {
    slots.end(slot);
    rateEstimator.accepted();
    breaker.succeeded();
    // Ignore requests that started before the last pause.
    if (slot.epoch !== breaker.status.epoch) return;
    if (breaker.status.state === "half-open") {
      breaker.close();
      window.restart();
    }
    // Grow only if the window is in use. Otherwise a later burst could exceed a tested load.
    if (slots.waiting > 0 || slots.running + 1 >= window.size) window.grow();
  }

  function failed(slot: RequestSlot, error: ServiceError): void {
    slots.end(slot);
    const wasClosed = breaker.status.state === "closed";
    if (!breaker.failed(slot.epoch, error)) return;
    if (wasClosed) window.halve();
    if (isRateLimited(error)) rateEstimator.rejected(performance.now());
    if (slots.waiting === 0) breaker.keepProcessAlive(false);
  }

  return {
    max,
    /** Current limit of concurrent requests. */
    get atOnce(): number {
      return breaker.status.state === "closed" ? window.size : breaker.status.state === "half-open" ? 1 : 0;
    },
    /** Why requests are paused, for display. */
    get waiting(): string | undefined {
      return breaker.waiting;
    },
    /** Runs `work` when a slot is free. Retries until it succeeds or fails with a permanent error. */
    async run<T>(work: (attempt: number) => Promise<T>, { signal, giveUp }: RunOptions = {}): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        const slot = await slots.take(signal);
        try {
          const result = await work(attempt);
          succeeded(slot);
          return result;
        } catch (error) {
          if (isRetryable(error)) failed(slot, error);
          // A permanent error proves that the service is reachable.
          else if (error instanceof ServiceError) succeeded(slot);
          else slots.end(slot);
          if (!isRetryable(error) || giveUp?.(error, attempt)) throw error;
        } finally {
          slots.startQueued();
        }
      }
    },
  };
}
export type AdaptiveConcurrency = ReturnType<typeof openAdaptiveConcurrency>;
