import { roundToTotal } from "@hearback/scoring/largest-remainder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { assignReviewers } from "./assign-reviewers.ts";
import type { ReviewToAssign } from "./reviewer-pool.ts";

/** A pool of reviewers and the reviews of a draw. Some reviewers are agents too. */
const pool = fc
  .record({
    capacities: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 12 }),
    agents: fc.integer({ min: 1, max: 60 }),
    perAgent: fc.integer({ min: 1, max: 6 }),
    secondPercent: fc.constantFrom(0, 0, 5, 20),
    salt: fc.nat(),
  })
  .map(({ capacities, agents, perAgent, secondPercent, salt }) => {
    const reviewers = capacities.map((capacity, index) => ({ id: `r${index}`, capacity }));
    const firsts: ReviewToAssign[] = [];
    for (let agent = 0; agent < agents; agent++) {
      for (let call = 0; call < perAgent; call++)
        firsts.push({ callId: `c${agent}-${call}`, agentId: agent < 3 ? `r${agent}` : `a${agent}`, isSecond: false });
    }
    const seconds = firsts.slice(0, Math.round((firsts.length * secondPercent) / 100));
    const reviews = [...firsts, ...seconds.map((review) => ({ ...review, isSecond: true }))];
    return { reviewers, reviews, salt };
  });

const order = (salt: number) => (review: ReviewToAssign, reviewerId: string) => {
  let hash = salt;
  for (const character of review.callId + reviewerId) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return hash;
};
const pause = async () => {};
const isOwn = (reviewerId: string, agentId: string) => reviewerId === agentId;

/** The most reviews that quotas and exclusions permit (bipartite matching with capacities), without second reviews. */
function mostReviews(reviews: readonly ReviewToAssign[], quotas: ReadonlyMap<string, number>): number {
  const taken = new Map([...quotas.keys()].map((id) => [id, [] as ReviewToAssign[]]));
  function place(review: ReviewToAssign, tried: Set<string>): boolean {
    for (const [id, own] of taken) {
      if (tried.has(id) || isOwn(id, review.agentId)) continue;
      tried.add(id);
      if (own.length < (quotas.get(id) ?? 0)) {
        own.push(review);
        return true;
      }
      const movable = own.findIndex((other) => place(other, tried));
      if (movable >= 0) {
        own[movable] = review;
        return true;
      }
    }
    return false;
  }
  return reviews.filter((review) => place(review, new Set())).length;
}

test("over 1,000 random pools, everyone gets their share within one, and nobody their own calls", {
  timeout: 120_000,
}, async () => {
  let within = 0;
  await fc.assert(
    fc.asyncProperty(pool, async ({ reviewers, reviews, salt }) => {
      const rules = { reviewers, isExcluded: isOwn, order: order(salt), pause };
      const assigned = await assignReviewers(reviews, rules);
      expect(await assignReviewers(reviews, rules)).toEqual(assigned);
      const counts = new Map(reviewers.map(({ id }) => [id, 0]));
      const byCall = new Map<string, string[]>();
      for (const [index, { callId, agentId }] of reviews.entries()) {
        const reviewer = assigned[index];
        if (reviewer === undefined) continue;
        expect(reviewer, "own call").not.toBe(agentId);
        counts.set(reviewer, (counts.get(reviewer) ?? 0) + 1);
        byCall.set(callId, [...(byCall.get(callId) ?? []), reviewer]);
      }
      for (const both of byCall.values()) expect(new Set(both).size, "both reviews by one reviewer").toBe(both.length);
      const total = reviewers.reduce((sum, { capacity }) => sum + capacity, 0);
      const isWithinOne = reviewers.every(
        ({ id, capacity }) => Math.abs((counts.get(id) ?? 0) - (capacity * reviews.length) / total) <= 1,
      );
      if (isWithinOne) within++;
      // Otherwise no assignment reaches the shares: a reviewer would have to review their own calls.
      else if (reviews.every(({ isSecond }) => !isSecond)) {
        const shares = reviewers.map(({ id, capacity }) => ({ id, numerator: BigInt(capacity * reviews.length) }));
        const quotas = roundToTotal(shares, BigInt(total), reviews.length);
        expect(mostReviews(reviews, quotas), "a fair assignment exists").toBeLessThan(reviews.length);
      }
    }),
    { numRuns: 1000 },
  );
  expect(within).toBeGreaterThan(850);
});

test("the reviews of an agent go to different reviewers", async () => {
  const reviewers = ["x", "y", "z"].map((id) => ({ id, capacity: 10 }));
  const reviews = ["a", "b", "c", "d"].flatMap((agentId) =>
    [1, 2, 3].map((call) => ({ callId: `${agentId}${call}`, agentId, isSecond: false })),
  );
  const assigned = await assignReviewers(reviews, { reviewers, isExcluded: isOwn, order: order(1), pause });
  for (let agent = 0; agent < 4; agent++) expect(new Set(assigned.slice(agent * 3, agent * 3 + 3)).size).toBe(3);
});

test("no agent has one reviewer alone if another could share, whatever the order of tickets", async () => {
  const reviewers = [
    { id: "x", capacity: 15 },
    { id: "y", capacity: 10 },
  ];
  const firsts = Array.from({ length: 24 }, (_, index) => ({
    callId: `c${index}`,
    agentId: `a${index % 8}`,
    isSecond: false,
  }));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(firsts, { minLength: 24 }), fc.nat(), async (shuffled, salt) => {
      const reviews = [...shuffled, ...shuffled.slice(0, 2).map((review) => ({ ...review, isSecond: true }))];
      const assigned = await assignReviewers(reviews, { reviewers, isExcluded: isOwn, order: order(salt), pause });
      const reviewersOf = Map.groupBy(shuffled.keys(), (index) => shuffled[index]?.agentId);
      for (const indexes of reviewersOf.values()) expect(new Set(indexes.map((index) => assigned[index])).size).toBe(2);
      expect(Math.abs(assigned.filter((id) => id === "x").length - 15.6)).toBeLessThan(1);
    }),
  );
});

test("a review that everybody is excluded from has no reviewer", async () => {
  const reviews = [{ callId: "c", agentId: "x", isSecond: false }];
  const rules = { reviewers: [{ id: "x", capacity: 1 }], isExcluded: isOwn, order: order(1), pause };
  expect(await assignReviewers(reviews, rules)).toEqual([undefined]);
  expect(await assignReviewers(reviews, { ...rules, reviewers: [] })).toEqual([undefined]);
});

test("nobody gets a call that they must not get, and all get their share of the others", async () => {
  const reviewers = ["x", "y", "z"].map((id) => ({ id, capacity: 10 }));
  const reviews = Array.from({ length: 33 }, (_, n) => ({
    callId: `c${n}`,
    agentId: `a${n % 8}`,
    isSecond: false,
    except: n < 10 ? new Set(["x"]) : n === 10 ? new Set(["x", "y", "z"]) : undefined,
  }));
  const assigned = await assignReviewers(reviews, { reviewers, isExcluded: isOwn, order: order(1), pause });
  expect(assigned.slice(0, 11)).not.toContain("x");
  expect(assigned[10]).toBeUndefined();
  const counts = Map.groupBy(assigned, (id) => id);
  for (const { id } of reviewers) expect(counts.get(id)?.length).toBeGreaterThanOrEqual(10);
});

test("nobody gets the first review of a call whose second one they have already", async () => {
  const reviewers = ["x", "y"].map((id) => ({ id, capacity: 10 }));
  const reviews = Array.from({ length: 40 }, (_, n) => ({
    callId: `c${n % 20}`,
    agentId: `a${n % 3}`,
    isSecond: n >= 20,
    ...(n >= 20 && { assignedTo: n % 4 === 0 ? "y" : "x" }),
  }));
  const assigned = await assignReviewers(reviews, { reviewers, isExcluded: isOwn, order: order(1), pause });
  for (let n = 0; n < 20; n++) expect([assigned[n], assigned[n + 20]].toSorted()).toEqual(["x", "y"]);
});

test("reviews that someone has already stay theirs and count for their share", async () => {
  const reviewers = ["x", "y", "z"].map((id) => ({ id, capacity: 10 }));
  const reviews = Array.from({ length: 30 }, (_, n) => ({
    callId: `c${n % 24}`,
    agentId: `a${n % 8}`,
    isSecond: n >= 24,
    ...(n < 8 && { assignedTo: "x" }),
    ...(n === 8 && { assignedTo: null }),
    ...(n === 9 && { assignedTo: "gone" }),
  }));
  const assigned = await assignReviewers(reviews, { reviewers, isExcluded: isOwn, order: order(1), pause });
  expect(assigned.slice(0, 10)).toEqual([...Array(8).fill("x"), undefined, "gone"]);
  const counts = Map.groupBy(assigned, (id) => id);
  expect([counts.get("x")?.length, counts.get("y")?.length, counts.get("z")?.length]).toEqual([10, 9, 9]);
  for (let n = 24; n < 30; n++) expect(assigned[n]).not.toBe(assigned[n - 24]);
});
