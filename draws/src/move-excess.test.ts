import { expect, test } from "vitest";
import { moveExcess } from "./move-excess.ts";
import { openPool, type ReviewToAssign } from "./reviewer-pool.ts";
import { fitShares } from "./reviewer-shares.ts";

const step = async () => {};

interface Case {
  readonly quotas: Record<string, number>;
  /** Agents of the reviews, and who may not review each agent. */
  readonly agents: readonly string[];
  readonly excluded?: Record<string, readonly string[]>;
  readonly change?: (review: ReviewToAssign, index: number) => ReviewToAssign;
}

function open({ quotas, agents, excluded = {}, change = (review) => review }: Case) {
  const reviews = agents.map((agentId, n) => change({ callId: `c${n}`, agentId, isSecond: false }, n));
  const isExcluded = (reviewerId: string, agentId: string) => excluded[agentId]?.includes(reviewerId) ?? false;
  return openPool(reviews, new Map(Object.entries(quotas)), isExcluded, step);
}

/** Who has which review after excess was moved, from who had it before. */
async function moved(one: Case, holders: readonly string[]): Promise<(string | undefined)[]> {
  const pool = await open(one);
  for (const [index, id] of holders.entries()) {
    const load = pool.loads.find((each) => each.id === id);
    if (load) pool.put(index, load);
  }
  await moveExcess(pool, step);
  const held = holders.map((_, index) => pool.holderOf(index)?.id);
  for (const { id, size } of pool.loads) expect(size).toBe(held.filter((holder) => holder === id).length);
  return held;
}

test("excess moves to who has less than their share, by way of others if need be", async () => {
  const chain = { quotas: { x: 1, y: 1, z: 1 }, agents: ["a", "a", "b"], excluded: { a: ["z"], b: ["x"] } };
  expect(await moved(chain, ["x", "x", "y"])).toEqual(["y", "x", "z"]);
  const direct = { quotas: { x: 1, y: 1, z: 1 }, agents: ["a", "b", "c"] };
  expect(await moved(direct, ["x", "x", "y"])).toEqual(["z", "x", "y"]);
  expect(await moved({ quotas: { x: 1, y: 2 }, agents: ["a", "a", "a"] }, ["x", "x", "x"])).toEqual(["y", "y", "x"]);
});

test("what cannot move stays", async () => {
  const one = { quotas: { x: 1, y: 2 }, agents: ["a", "a", "b"], excluded: { a: ["y"] } };
  expect(await moved(one, ["x", "x", "y"])).toEqual(["x", "x", "y"]);
  const except = { ...one, excluded: {}, change: (review: ReviewToAssign) => ({ ...review, except: new Set(["y"]) }) };
  expect(await moved(except, ["x", "x", "y"])).toEqual(["x", "x", "y"]);
});

test("both reviews of a call never move to one reviewer", async () => {
  const change = (review: ReviewToAssign, n: number) =>
    n === 2 ? { ...review, callId: "c0", isSecond: true } : review;
  const one = { quotas: { x: 1, y: 2 }, agents: ["a", "a", "a"], change };
  expect(await moved(one, ["x", "x", "y"])).toEqual(["x", "y", "y"]);
  expect(await moved({ ...one, quotas: { x: 0, y: 3 } }, ["x", "x", "y"])).toEqual(["x", "y", "y"]);
});

test("a review of the agent of whom the one has most and the other fewest moves", async () => {
  const one = { quotas: { x: 3, y: 3 }, agents: ["a", "b", "b", "b", "a", "a"] };
  expect(await moved(one, ["x", "x", "x", "x", "y", "y"])).toEqual(["x", "y", "x", "x", "y", "y"]);
  // A second review changes nothing for the agent.
  const change = (review: ReviewToAssign, n: number) => (n === 3 ? { ...review, isSecond: true } : review);
  const withSecond = { quotas: { x: 3, y: 1 }, agents: ["a", "a", "a", "b"], change };
  expect(await moved(withSecond, ["x", "x", "x", "x"])).toEqual(["y", "x", "x", "x"]);
});

/** Shares of reviewers by group, in hundredths, and the steps that were needed. */
async function sharesOf(one: Case) {
  let steps = 0;
  const shares = await fitShares(await open(one), async () => void steps++);
  return { shares: shares.map((group) => [...group].map((share) => Math.round(share * 100))), steps };
}
const many = (agent: string, count: number) => Array<string>(count).fill(agent);

test("shares are those of the quotas; who is excluded from some agents gets more of the others", async () => {
  expect(await sharesOf({ quotas: { x: 6, y: 3 }, agents: many("a", 9) })).toEqual({ shares: [[67, 33]], steps: 1 });
  const own = { quotas: { x: 60, y: 60 }, agents: [...many("a", 40), ...many("b", 80)], excluded: { a: ["x"] } };
  const fitted = await sharesOf(own);
  expect(fitted.shares).toEqual([
    [0, 100],
    [75, 25],
  ]);
  expect(fitted.steps).toBeLessThan(100);
});

test("reviews that someone has already are taken from their share", async () => {
  const change = (review: ReviewToAssign, n: number) => (n < 30 ? { ...review, assignedTo: "x" } : review);
  expect((await sharesOf({ quotas: { x: 60, y: 60 }, agents: many("a", 120), change })).shares).toEqual([[33, 67]]);
});

test("reviews that are assigned singly take the same part of every share", async () => {
  const change = (review: ReviewToAssign, n: number) => (n >= 60 ? { ...review, isSecond: true } : review);
  const one = { quotas: { x: 30, y: 30 }, agents: [...many("a", 10), ...many("b", 50), ...many("b", 60)], change };
  const fitted = await sharesOf({ ...one, quotas: { x: 60, y: 60 }, excluded: { a: ["x"] } });
  expect(fitted.shares).toEqual([
    [0, 100],
    [60, 40],
  ]);
  expect(fitted.steps).toBeLessThan(100);
});

test("an agent whom nobody may review has no shares", async () => {
  const excluded = { a: ["x", "y"] };
  expect((await sharesOf({ quotas: { x: 1, y: 1 }, agents: ["a", "b", "b"], excluded })).shares[0]).toEqual([0, 0]);
});
