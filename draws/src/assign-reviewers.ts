import { roundToTotal } from "@hearback/scoring/largest-remainder";

export interface Reviewer {
  readonly id: string;
  /** Reviews that the reviewer has time for in a period. */
  readonly capacity: number;
}

/** A review to assign. The order of a list of them is that of their tickets. */
export interface ReviewToAssign {
  readonly callId: string;
  readonly agentId: string;
  /** Of the same call, by another reviewer than the first. */
  readonly isSecond: boolean;
}

export interface AssignmentRules {
  readonly reviewers: readonly Reviewer[];
  /** Whether the reviewer must not review calls of this agent: their own, or those of their team. */
  readonly isExcluded: (reviewerId: string, agentId: string) => boolean;
  /** A random number for a review and a reviewer, the same in every run. Breaks ties. */
  readonly order: (review: ReviewToAssign, reviewerId: string) => number;
}

interface Load extends Reviewer {
  readonly quota: number;
  readonly assigned: Set<number>;
  /** First reviews of each agent. Second reviews do not count for the agent. */
  readonly byAgent: Map<string, number>;
}

const countOf = ({ byAgent }: Load, agentId: string) => byAgent.get(agentId) ?? 0;

/**
 * Assigns reviewers: each gets their share by capacity, rounded up or down, as far as exclusions permit; the reviews of one agent
 * go to as many reviewers as possible. Returns the reviewer of each review; undefined if everyone is excluded.
 */
export function assignReviewers(
  reviews: readonly ReviewToAssign[],
  { reviewers, isExcluded, order }: AssignmentRules,
): (string | undefined)[] {
  const loads = openLoads(reviewers, reviews.length);
  const assigned: (Load | undefined)[] = reviews.map(() => undefined);
  const siblings = findSiblings(reviews);

  const mayReview = (load: Load, index: number) => {
    const { agentId } = reviews[index] as ReviewToAssign;
    const other = siblings.get(index);
    return !isExcluded(load.id, agentId) && (other === undefined || assigned[other] !== load);
  };
  function put(index: number, load: Load): void {
    const { agentId, isSecond } = reviews[index] as ReviewToAssign;
    const former = assigned[index];
    former?.assigned.delete(index);
    load.assigned.add(index);
    assigned[index] = load;
    if (isSecond) return;
    former?.byAgent.set(agentId, countOf(former, agentId) - 1);
    load.byAgent.set(agentId, countOf(load, agentId) + 1);
  }

  for (const index of byAgent(reviews)) {
    const review = reviews[index] as ReviewToAssign;
    const allowed = loads.filter((load) => mayReview(load, index));
    const free = allowed.filter(hasRoom);
    if (free.length === 0 && allowed.length > 0) {
      const moves = findMoves(loads, allowed, mayReview);
      for (const { from, to } of moves) put(from, to);
      if (moves.length > 0) free.push(...allowed.filter((load) => hasRoom(load) && mayReview(load, index)));
    }
    // No reviewer has room: one of them gets more than their share.
    const choice = best(free.length > 0 ? free : allowed, review, order);
    if (choice) put(index, choice);
  }
  // The last agents got who had room left.
  for (const [index, review] of reviews.entries()) {
    const swap = review.isSecond ? undefined : findSwap(index, { reviews, loads, assigned, mayReview });
    if (!swap) continue;
    put(swap.index, assigned[index] as Load);
    put(index, swap.load);
  }
  return assigned.map((load) => load?.id);
}

const hasRoom = ({ assigned, quota }: Load) => assigned.size < quota;

function openLoads(reviewers: readonly Reviewer[], total: number): Load[] {
  const capacity = reviewers.reduce((sum, reviewer) => sum + reviewer.capacity, 0);
  const shares = reviewers.map(({ id, capacity }) => ({ id, numerator: BigInt(capacity) * BigInt(total) }));
  const quotas = capacity > 0 ? roundToTotal(shares, BigInt(capacity), total) : new Map<string, number>();
  return reviewers
    .filter(({ capacity }) => capacity > 0)
    .map((reviewer) => ({
      ...reviewer,
      quota: quotas.get(reviewer.id) ?? 0,
      assigned: new Set<number>(),
      byAgent: new Map<string, number>(),
    }));
}

/** The index of the other review of the same call. */
function findSiblings(reviews: readonly ReviewToAssign[]): ReadonlyMap<number, number> {
  const firsts = new Map<string, number>();
  for (const [index, { callId, isSecond }] of reviews.entries()) if (!isSecond) firsts.set(callId, index);
  const siblings = new Map<number, number>();
  for (const [index, { callId, isSecond }] of reviews.entries()) {
    const first = isSecond ? firsts.get(callId) : undefined;
    if (first === undefined) continue;
    siblings.set(index, first).set(first, index);
  }
  return siblings;
}

/** Indexes of the reviews, those of one agent in succession, agents in the order of their first review. */
function byAgent(reviews: readonly ReviewToAssign[]): number[] {
  const indexes = Map.groupBy(reviews.keys(), (index) => (reviews[index] as ReviewToAssign).agentId);
  return [...indexes.values()].flat();
}

/** The reviewer with the fewest reviews of this agent, then with the largest part of their share left. */
function best(loads: readonly Load[], review: ReviewToAssign, order: AssignmentRules["order"]): Load | undefined {
  let chosen: { readonly load: Load; readonly rank: readonly number[] } | undefined;
  for (const load of loads) {
    const rank = [
      review.isSecond ? 0 : countOf(load, review.agentId),
      load.assigned.size / Math.max(load.quota, 0.5),
      order(review, load.id),
    ];
    if (!chosen || isLess(rank, chosen.rank)) chosen = { load, rank };
  }
  return chosen?.load;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const differs = a.findIndex((value, index) => value !== b[index]);
  return differs >= 0 && (a[differs] as number) < (b[differs] as number);
}

interface Assignments {
  readonly reviews: readonly ReviewToAssign[];
  readonly loads: readonly Load[];
  readonly assigned: readonly (Load | undefined)[];
  readonly mayReview: (load: Load, index: number) => boolean;
}

/** A review of another reviewer, such that the reviews of both agents go to more reviewers if the two are swapped. */
function findSwap(index: number, { reviews, loads, assigned, mayReview }: Assignments) {
  const { agentId } = reviews[index] as ReviewToAssign;
  const from = assigned[index];
  if (!from || countOf(from, agentId) < 2) return undefined;
  for (const load of loads) {
    const gain = countOf(from, agentId) - countOf(load, agentId);
    if (gain < 2 || !mayReview(load, index)) continue;
    for (const other of load.assigned) {
      const { agentId: otherAgent, isSecond } = reviews[other] as ReviewToAssign;
      const otherGain = isSecond ? 1 : countOf(load, otherAgent) - countOf(from, otherAgent);
      if (otherAgent !== agentId && gain + otherGain > 2 && mayReview(from, other)) return { index: other, load };
    }
  }
  return undefined;
}

interface Move {
  /** Index of a review. */
  readonly from: number;
  readonly to: Load;
}

/**
 * Finds reviews to move so that one of `allowed` has room: the shortest chain from a reviewer with room back to an allowed one
 * (an augmenting path of bipartite matching). Returns the moves in the order in which they can be made, or none.
 */
function findMoves(
  loads: readonly Load[],
  allowed: readonly Load[],
  mayReview: (load: Load, index: number) => boolean,
): Move[] {
  const reached = new Map<Load, { readonly move: Move; readonly after: Load } | null>(
    allowed.map((load) => [load, null]),
  );
  const queue = [...allowed];
  for (const load of queue) {
    for (const next of loads) {
      if (reached.has(next)) continue;
      const index = [...load.assigned].find((review) => mayReview(next, review));
      if (index === undefined) continue;
      reached.set(next, { move: { from: index, to: next }, after: load });
      if (!hasRoom(next)) {
        queue.push(next);
        continue;
      }
      const moves: Move[] = [];
      for (let step = reached.get(next); step; step = reached.get(step.after)) moves.push(step.move);
      return moves;
    }
  }
  return [];
}
