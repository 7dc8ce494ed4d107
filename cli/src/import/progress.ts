import type { AdaptiveConcurrency } from "./concurrency/adaptive-concurrency.ts";

/** Mutable progress counters. The display polls them. */
export interface Progress {
  phase: "reading" | "importing" | "reconciling";
  total: number;
  totalBytes: number;
  done: number;
  doneBytes: number;
  /** Bytes of uploaded recordings. */
  sentBytes: number;
  imported: number;
  present: number;
  failed: number;
  atOnce: number;
  waiting: string | undefined;
}

/** Creates progress counters whose `atOnce` and `waiting` follow the concurrency. */
export function startProgress(
  work: Pick<Progress, "phase" | "total" | "totalBytes">,
  concurrency: AdaptiveConcurrency,
): Progress {
  const { phase, total, totalBytes } = work;
  const counts = { done: 0, doneBytes: 0, sentBytes: 0, imported: 0, present: 0, failed: 0 };
  const progress = { phase, total, totalBytes, ...counts, atOnce: 0, waiting: undefined };
  return Object.defineProperties(progress, {
    atOnce: { get: () => concurrency.atOnce, enumerable: true },
    waiting: { get: () => concurrency.waiting, enumerable: true },
  });
}
