/** A fixed number of things to be had, first come, first served. */
export interface Leases {
  /** Resolves once one is free. */
  take(): Promise<void>;
  giveBack(): void;
}

export function openLeases(count: number): Leases {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    giveBack() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
