import type { Group, Pool } from "./reviewer-pool.ts";

const rounds = 100;

/**
 * The part of each reviewer in the calls of the agents of each group: 0 for those who are excluded, and such that all get what they
 * have left of their share (iterative proportional fitting). Groups and reviewers by position.
 */
export async function fitShares(
  { groups, loads, reviews, isSingle }: Pool,
  step: () => Promise<void>,
): Promise<Float64Array[]> {
  const firsts = groups.reduce((sum, group) => sum + group.firsts, 0);
  const singles = reviews.filter(({ assignedTo }, index) => assignedTo === undefined && isSingle(index)).length;
  // Those that are assigned singly take the same part of what each has left.
  const wanted = loads.map(({ quota, size }) =>
    Math.max((quota - size) * (firsts / Math.max(firsts + singles, 1)), 1e-6),
  );
  const weights = Float64Array.from(wanted);
  let shares = groups.map((group) => shareOf(group, weights));
  for (let round = 0; round < rounds; round++) {
    const given = new Float64Array(loads.length);
    for (const [at, { firsts }] of groups.entries()) {
      await step();
      for (const [to, share] of (shares[at] as Float64Array).entries())
        given[to] = (given[to] as number) + firsts * share;
    }
    if (wanted.every((number, at) => Math.abs(number - (given[at] as number)) < 0.1)) break;
    for (const [at, number] of wanted.entries())
      weights[at] = (weights[at] as number) * Math.min(Math.max(number / Math.max(given[at] as number, 1e-9), 0.1), 10);
    shares = groups.map((group) => shareOf(group, weights));
  }
  return shares;
}

function shareOf({ isAllowed }: Group, weights: Float64Array): Float64Array {
  const share = weights.map((weight, at) => (isAllowed[at] ? weight : 0));
  const sum = share.reduce((total, weight) => total + weight, 0);
  return sum > 0 ? share.map((weight) => weight / sum) : share;
}
