import type { Pace } from "./pace.ts";

/** How far a long piece of work is. Whoever shows it looks at it whenever it likes. */
export interface Progress {
  phase: "reading" | "importing" | "reconciling";
  total: number;
  totalBytes: number;
  done: number;
  doneBytes: number;
  /** Of recordings that were sent. */
  sentBytes: number;
  imported: number;
  present: number;
  failed: number;
  atOnce: number;
  waiting: string | undefined;
}

/** A progress at its beginning, which always says how its pace is at the moment. */
export function startProgress(work: Pick<Progress, "phase" | "total" | "totalBytes">, pace: Pace): Progress {
  const { phase, total, totalBytes } = work;
  const counts = { done: 0, doneBytes: 0, sentBytes: 0, imported: 0, present: 0, failed: 0 };
  const progress = { phase, total, totalBytes, ...counts, atOnce: 0, waiting: undefined };
  return Object.defineProperties(progress, {
    atOnce: { get: () => pace.atOnce, enumerable: true },
    waiting: { get: () => pace.waiting, enumerable: true },
  });
}
