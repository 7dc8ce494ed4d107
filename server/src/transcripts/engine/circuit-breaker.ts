import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "./engine.ts";

/**
 * Keeps calls away from an engine that does not answer. After a failure nothing is sent for a pause, which doubles with every
 * further failure; then one stretch is sent as a probe, and the others wait for its outcome.
 */
export interface CircuitBreaker {
  /** Waits until something can be sent, or a probe is due. Returns false if that takes too long. */
  wait(signal?: AbortSignal): Promise<boolean>;
  /** Sends one stretch. Throws an EngineError if it must wait for too long. */
  send<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface CircuitOptions {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly longestWaitMs: number;
}

export const circuitDefaults: CircuitOptions = {
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
  longestWaitMs: 5 * 60_000,
};

const stepMs = 1_000;
const mostFailures = 30;

export function openCircuitBreaker({ firstPauseMs, longestPauseMs, longestWaitMs }: CircuitOptions): CircuitBreaker {
  let failures = 0;
  let probeAt = 0;
  let isProbing = false;

  const isDue = () => failures === 0 || (performance.now() >= probeAt && !isProbing);

  async function wait(signal?: AbortSignal): Promise<boolean> {
    const until = performance.now() + longestWaitMs;
    while (!isDue()) {
      const now = performance.now();
      if (now > until) return false;
      const leftMs = probeAt > now ? probeAt - now : stepMs;
      await sleep(Math.ceil(Math.min(leftMs, stepMs)), undefined, signal && { signal });
    }
    return true;
  }

  return {
    wait,
    async send(work, signal) {
      if (!(await wait(signal))) throw new EngineError("engine_unavailable", "Speech recognition is not available.");
      const isProbe = failures > 0;
      if (isProbe) isProbing = true;
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        if (error instanceof EngineError && error.concernsAll) {
          probeAt = performance.now() + Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
          failures = Math.min(failures + 1, mostFailures);
        } else if (error instanceof EngineError) failures = 0;
        throw error;
      } finally {
        if (isProbe) isProbing = false;
      }
    },
  };
}
