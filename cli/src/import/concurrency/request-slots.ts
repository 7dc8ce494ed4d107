import type { CircuitBreaker } from "./circuit-breaker.ts";
import type { openRateEstimator } from "./rate-estimator.ts";
import { openRequestQueue } from "./request-queue.ts";

export interface RequestSlot {
  /** The epoch of the circuit breaker when the request started. */
  readonly epoch: number;
  readonly probe: boolean;
}

interface RequestSlotsOptions {
  readonly window: { readonly size: number };
  readonly rateEstimator: ReturnType<typeof openRateEstimator>;
  readonly breaker: CircuitBreaker;
}

/** Grants request slots within the concurrency window and the estimated rate limit. */
export function openRequestSlots({ window, rateEstimator, breaker }: RequestSlotsOptions) {
  const queue = openRequestQueue<RequestSlot>();
  let running = 0;
  let probeRunning = false;
  let waitingForToken = false;

  function canStart(): boolean {
    if (breaker.status.state === "open" || (breaker.status.state === "half-open" && probeRunning)) return false;
    if (breaker.status.state === "closed" && running >= window.size) return false;
    const inMs = rateEstimator.takeToken(performance.now());
    if (inMs === 0) return true;
    if (!waitingForToken)
      setTimeout(() => {
        waitingForToken = false;
        startQueued();
      }, inMs);
    waitingForToken = true;
    return false;
  }

  function start(): RequestSlot {
    running++;
    const probe = breaker.status.state === "half-open";
    probeRunning ||= probe;
    return { epoch: breaker.status.epoch, probe };
  }

  function startQueued(): void {
    while (queue.length > 0 && canStart()) queue.startNext(start());
  }

  return {
    startQueued,
    get running() {
      return running;
    },
    /** Number of queued requests. */
    get waiting() {
      return queue.length;
    },
    async take(signal: AbortSignal | undefined): Promise<RequestSlot> {
      if (breaker.status.failure) throw breaker.status.failure;
      signal?.throwIfAborted();
      if (queue.length === 0 && canStart()) return start();
      breaker.keepProcessAlive(true);
      try {
        return await queue.wait(signal);
      } finally {
        // An aborted request must not keep the process alive during a pause.
        if (signal?.aborted && queue.length === 0) breaker.keepProcessAlive(false);
      }
    },
    end(slot: RequestSlot): void {
      running--;
      if (slot.probe) probeRunning = false;
    },
    stopAll: queue.stopAll,
  };
}
