import { openYieldQueue } from "../../platform/async/yield-queue.ts";

/** Several calls may be masked at once: each takes so much between two yields. */
const sliceMs = 5;
/** A call of two hours takes less than a second. */
const budgetMs = 20_000;

/** Masking took far longer than any call should. The words are not stored. */
export class MaskingTimeout extends Error {
  override name = "MaskingTimeout";
  constructor() {
    super("Finding card numbers in the words of the call took too long.");
  }
}

export interface TimeSlices {
  /** Whether it is time to yield. Throws `MaskingTimeout` when all slices together are too long. */
  isUsedUp(): boolean;
  /** Lets the process serve requests. */
  yield(): Promise<void>;
}

const yieldToEventLoop = openYieldQueue();

/** Divides a long computation into slices. */
export function openTimeSlices(limitMs = budgetMs): TimeSlices {
  let begun = performance.now();
  let usedMs = 0;
  return {
    isUsedUp() {
      const sinceMs = performance.now() - begun;
      if (usedMs + sinceMs > limitMs) throw new MaskingTimeout();
      return sinceMs >= sliceMs;
    },
    async yield() {
      usedMs += performance.now() - begun;
      await yieldToEventLoop();
      begun = performance.now();
    },
  };
}
