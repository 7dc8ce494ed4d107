/** A fixed number of large buffers, used again and again, first come, first served. */
export interface Slabs {
  /** Resolves once one is free. */
  take(): Promise<Uint8Array>;
  giveBack(slab: Uint8Array): void;
}

export function openSlabs(count: number, bytes: number): Slabs {
  const free: Uint8Array[] = [];
  const waiting: ((slab: Uint8Array) => void)[] = [];
  let made = 0;
  return {
    async take() {
      const slab = free.pop();
      if (slab) return slab;
      if (made < count) {
        made += 1;
        return Buffer.allocUnsafeSlow(bytes);
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    giveBack(slab) {
      const next = waiting.shift();
      if (next) next(slab);
      else free.push(slab);
    },
  };
}
