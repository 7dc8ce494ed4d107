import { openYieldQueue } from "./yield-queue.ts";

/** Several computations may run at once: each takes so much between two yields. */
const sliceMs = 5;

export interface TimeSlices {
  /** Whether it is time to yield. */
  isUsedUp(): boolean;
  /** Lets the process serve requests. */
  yield(): Promise<void>;
}

const yieldToEventLoop = openYieldQueue();

/** Divides a long computation into slices. `check` gets the time of all slices so far, and may throw. */
export function openTimeSlices(check: (usedMs: number) => void = () => {}): TimeSlices {
  let begun = performance.now();
  let usedMs = 0;
  return {
    isUsedUp() {
      const sinceMs = performance.now() - begun;
      check(usedMs + sinceMs);
      return sinceMs >= sliceMs;
    },
    async yield() {
      usedMs += performance.now() - begun;
      await yieldToEventLoop();
      begun = performance.now();
    },
  };
}
