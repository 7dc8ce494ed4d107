/**
 * A fixed number of large buffers, used again and again. Each owner may have up to twice as many as are free: alone two
 * thirds of all, less the more others have theirs. So nobody, however slowly they go on, can hold them all.
 */
export interface Slabs {
  /** Resolves once there is one for this owner. */
  take(owner: string): Promise<Uint8Array>;
  giveBack(owner: string, slab: Uint8Array): void;
}

interface Waiting {
  readonly owner: string;
  readonly take: (slab: Uint8Array) => void;
}

export function openSlabs(count: number, bytes: number): Slabs {
  const free: Uint8Array[] = [];
  const waiting: Waiting[] = [];
  const held = new Map<string, number>();
  let left = count;

  const heldBy = (owner: string) => held.get(owner) ?? 0;
  const mayTake = (owner: string) => left > 0 && heldBy(owner) < 2 * left;

  function hand(owner: string): Uint8Array {
    held.set(owner, heldBy(owner) + 1);
    left -= 1;
    return free.pop() ?? Buffer.allocUnsafeSlow(bytes);
  }

  /** Who has the least comes first, then who came first. */
  function serveNext(): boolean {
    let next: Waiting | undefined;
    for (const one of waiting) {
      if (mayTake(one.owner) && (!next || heldBy(one.owner) < heldBy(next.owner))) next = one;
    }
    if (!next) return false;
    waiting.splice(waiting.indexOf(next), 1);
    next.take(hand(next.owner));
    return true;
  }

  return {
    async take(owner) {
      if (mayTake(owner)) return hand(owner);
      return new Promise((take) => waiting.push({ owner, take }));
    },
    giveBack(owner, slab) {
      free.push(slab);
      left += 1;
      const rest = heldBy(owner) - 1;
      if (rest > 0) held.set(owner, rest);
      else held.delete(owner);
      while (serveNext());
    },
  };
}
