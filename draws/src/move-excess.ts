import type { Load, Pool } from "./reviewer-pool.ts";

const maxCandidates = 200;

interface Step {
  readonly from: Load;
  readonly to: Load;
}

/**
 * Moves reviews from those who got more than their share to those who got less, if need be by way of others (an augmenting path of
 * bipartite matching). Afterwards everyone has their share, unless exclusions make that impossible.
 */
export async function moveExcess(pool: Pool, step: () => Promise<void>): Promise<void> {
  for (const load of pool.loads) {
    while (load.size > load.quota) {
      const before = load.size;
      const path = await findPath(pool, load, step);
      // From the end, so that nobody gets more than one above their share meanwhile.
      for (const { from, to } of path.toReversed()) {
        const index = bestToMove(pool, from, to);
        if (index !== undefined) pool.put(index, to);
      }
      if (load.size === before) break;
      await step();
    }
  }
}

/** The shortest way along which reviews can move from `start` to a reviewer who has less than their share. Empty: none. */
async function findPath(pool: Pool, start: Load, step: () => Promise<void>): Promise<Step[]> {
  const reached = new Map<Load, Load | undefined>([[start, undefined]]);
  for (const from of reached.keys()) {
    await step();
    for (const to of pool.loads) {
      if (reached.has(to) || movableTo(pool, from, to).next().done) continue;
      reached.set(to, from);
      if (to.size < to.quota) return pathTo(to, reached);
    }
  }
  return [];
}

function pathTo(end: Load, reached: ReadonlyMap<Load, Load | undefined>): Step[] {
  const path: Step[] = [];
  for (let to = end, from = reached.get(to); from; to = from, from = reached.get(to)) path.unshift({ from, to });
  return path;
}

/** Indexes of the reviews that can move, first those of calls with one review. */
function* movableTo({ groups, mayReview }: Pool, from: Load, to: Load): Generator<number> {
  for (const byGroup of from.movable)
    for (const [at, indexes] of byGroup)
      if (groups[at]?.isAllowed[to.at]) for (const index of indexes) if (mayReview(to, index)) yield index;
}

/** The review whose agent has the most reviews by `from` and the fewest by `to`. */
function bestToMove(pool: Pool, from: Load, to: Load): number | undefined {
  let best: { readonly index: number; readonly gain: number } | undefined;
  let seen = 0;
  for (const index of movableTo(pool, from, to)) {
    const { counts } = pool.agentOf(index);
    const gain = pool.reviews[index]?.isSecond ? 0 : (counts[from.at] as number) - (counts[to.at] as number);
    if (!best || gain > best.gain) best = { index, gain };
    if (++seen === maxCandidates) break;
  }
  return best?.index;
}
