/** Runs work when a slot is free. Waiting callers are served in order. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface SemaphoreOptions {
  readonly concurrent: number;
  /** Maximum number of waiting callers. Default: unlimited. */
  readonly queued?: number;
  /** The error for a caller that finds the queue full. */
  readonly whenFull?: () => Error;
}

export function openSemaphore({
  concurrent,
  queued = Number.POSITIVE_INFINITY,
  whenFull = () => new Error("too many callers are waiting"),
}: SemaphoreOptions): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= concurrent) {
      if (waiting.length >= queued) throw whenFull();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      // Hands the slot to the next waiter, or frees it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
