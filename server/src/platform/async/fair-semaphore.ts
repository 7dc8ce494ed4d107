/** A semaphore whose units are shared fairly between owners. */
export interface FairSemaphore {
  /** Waits until `min` units are available for this owner, then takes between `min` and `max` and returns how many. */
  take(owner: string, min: number, max: number): Promise<number>;
  giveBack(owner: string, units: number): void;
}

interface Waiting {
  readonly owner: string;
  readonly min: number;
  readonly max: number;
  readonly grant: (units: number) => void;
}

/** `share` computes how many units an owner may take, from how many it holds and how many are left. */
export function openFairSemaphore(total: number, share: (held: number, left: number) => number): FairSemaphore {
  const held = new Map<string, number>();
  const waiting: Waiting[] = [];
  let left = total;

  const heldBy = (owner: string) => held.get(owner) ?? 0;
  const shareOf = (owner: string) => share(heldBy(owner), left);

  function hold(owner: string, units: number): number {
    held.set(owner, heldBy(owner) + units);
    left -= units;
    return units;
  }

  /** Serves the owner that holds the fewest units, then the longest waiting. */
  function serveNext(): boolean {
    let next: Waiting | undefined;
    for (const candidate of waiting) {
      const fits = shareOf(candidate.owner) >= candidate.min;
      if (fits && (!next || heldBy(candidate.owner) < heldBy(next.owner))) next = candidate;
    }
    if (!next) return false;
    waiting.splice(waiting.indexOf(next), 1);
    next.grant(hold(next.owner, Math.min(next.max, shareOf(next.owner))));
    return true;
  }

  return {
    async take(owner, min, max) {
      if (shareOf(owner) >= min) return hold(owner, Math.min(max, shareOf(owner)));
      return new Promise((grant) => waiting.push({ owner, min, max, grant }));
    },
    giveBack(owner, units) {
      left += units;
      const rest = heldBy(owner) - units;
      if (rest > 0) held.set(owner, rest);
      else held.delete(owner);
      while (waiting.length > 0 && serveNext());
    },
  };
}
