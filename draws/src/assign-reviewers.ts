import { roundToTotal } from "@hearback/scoring/largest-remainder";
import { moveExcess } from "./move-excess.ts";
import { type Agent, type Load, openPool, type Pool, type ReviewToAssign } from "./reviewer-pool.ts";
import { fitShares } from "./reviewer-shares.ts";

export interface Reviewer {
  readonly id: string;
  /** Reviews that the reviewer has time for in a period. */
  readonly capacity: number;
}

export interface AssignmentRules {
  readonly reviewers: readonly Reviewer[];
  /** Whether the reviewer must not review calls of this agent: their own, or those of their team. */
  readonly isExcluded: (reviewerId: string, agentId: string) => boolean;
  /** A random number for a review and a reviewer, the same in every run. Breaks ties. */
  readonly order: (review: ReviewToAssign, reviewerId: string) => number;
  /** Lets other work of the process run. Called every few milliseconds. */
  readonly pause: () => Promise<unknown>;
}

/** Between two pauses: reviews, each times the number of reviewers that are compared for it. */
const stepsBetweenPauses = 50_000;
const minStepsPerReview = 10;

/**
 * Assigns reviewers: each gets their share by capacity, rounded up or down, as far as exclusions permit, and of the calls of every
 * agent this share, too. Returns the reviewer of each review; undefined if everyone is excluded.
 */
export async function assignReviewers(
  reviews: readonly ReviewToAssign[],
  { reviewers, isExcluded, order, pause }: AssignmentRules,
): Promise<(string | undefined)[]> {
  let steps = 0;
  const step = async () => {
    steps += Math.max(reviewers.length, minStepsPerReview);
    if (steps < stepsBetweenPauses) return;
    steps = 0;
    await pause();
  };
  const ids = new Set(reviewers.map(({ id }) => id));
  const isOthers = ({ assignedTo }: ReviewToAssign) =>
    assignedTo === null || (assignedTo !== undefined && !ids.has(assignedTo));
  const total = reviews.reduce((sum, review) => sum + (isOthers(review) ? 0 : 1), 0);
  const pool = await openPool(reviews, quotasOf(reviewers, total), isExcluded, step);
  await assignFirsts(pool, order, step);
  await assignSingly(pool, order, step);
  await moveExcess(pool, step);
  return reviews.map(({ assignedTo }, index) => pool.holderOf(index)?.id ?? assignedTo ?? undefined);
}

/** The share of each reviewer in all reviews. */
function quotasOf(reviewers: readonly Reviewer[], total: number): ReadonlyMap<string, number> {
  const able = reviewers.filter(({ capacity }) => capacity > 0);
  const capacity = able.reduce((sum, reviewer) => sum + reviewer.capacity, 0);
  const shares = able.map(({ id, capacity }) => ({ id, numerator: BigInt(capacity) * BigInt(total) }));
  return roundToTotal(shares, BigInt(capacity), total);
}

type Order = AssignmentRules["order"];

/** Assigns the first reviews, agent by agent, in the order of the agents' first tickets. */
async function assignFirsts(pool: Pool, order: Order, step: () => Promise<void>): Promise<void> {
  const shares = await fitShares(pool, step);
  // What each reviewer is short of, over all agents so far.
  const lag = new Float64Array(pool.loads.length);
  for (const agent of pool.agents) {
    const { firsts, group } = agent;
    const review = pool.reviews[firsts[0] ?? 0] as ReviewToAssign;
    const exact = (shares[group.at] as Float64Array).map((share) => share * firsts.length);
    const chosen = roundForAgent(pool, agent, { exact, lag, order: (load) => order(review, load.id) });
    for (const [nth, index] of firsts.entries()) {
      await step();
      const load = chosen[nth];
      if (load) pool.put(index, load);
    }
  }
}

interface Rounding {
  readonly exact: Float64Array;
  readonly lag: Float64Array;
  readonly order: (load: Load) => number;
}

/** The reviewers of an agent's calls: each gets their share, rounded down, or up for those who are short of most. */
function roundForAgent({ loads }: Pool, { firsts, counts }: Agent, { exact, lag, order }: Rounding): Load[] {
  const chosen: Load[] = [];
  const open: Load[] = [];
  for (const load of loads) {
    const share = exact[load.at] as number;
    // Rounding errors of floating-point numbers.
    const whole = Math.floor(share + 1e-9);
    for (let n = 0; n < whole; n++) chosen.push(load);
    lag[load.at] = (lag[load.at] as number) + share - whole;
    if (share - whole > 1e-9) open.push(load);
  }
  const orders = new Map(open.map((load) => [load, order(load)]));
  open.sort(
    (a, b) =>
      (counts[a.at] as number) - (counts[b.at] as number) ||
      (lag[b.at] as number) - (lag[a.at] as number) ||
      (orders.get(a) ?? 0) - (orders.get(b) ?? 0),
  );
  for (const load of open.slice(0, Math.max(0, firsts.length - chosen.length))) {
    lag[load.at] = (lag[load.at] as number) - 1;
    chosen.push(load);
  }
  return chosen;
}

/** Gives each second review, and each that some must not get, to the one with the smallest part of their share. */
async function assignSingly(pool: Pool, order: Order, step: () => Promise<void>): Promise<void> {
  const filled = ({ size, quota }: Load) => size / Math.max(quota, 0.5);
  for (const [index, review] of pool.reviews.entries()) {
    if (!pool.isSingle(index) || review.assignedTo !== undefined) continue;
    await step();
    let chosen: Load | undefined;
    for (const load of pool.loads) {
      if (!pool.mayReview(load, index)) continue;
      const less = chosen ? filled(load) - filled(chosen) || order(review, load.id) - order(review, chosen.id) : -1;
      if (less < 0) chosen = load;
    }
    if (chosen) pool.put(index, chosen);
  }
}
