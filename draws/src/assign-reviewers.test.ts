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
  for (let n = 0; n < 20; n++) expect([assigned[n], assigned[n + 20]]).toEqual(n % 4 === 0 ? ["x", "y"] : ["y", "x"]);
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

/** Reviewers of agents' calls, in order, if all prefer the first of `preferred`. */
async function assign(
  capacities: Record<string, number>,
  reviews: readonly (Partial<ReviewToAssign> & { readonly agentId: string })[],
  preferred = Object.keys(capacities),
): Promise<string> {
  const assigned = await assignReviewers(
    reviews.map((review, n) => ({ callId: `c${n}`, isSecond: false, ...review })),
    {
      reviewers: Object.entries(capacities).map(([id, capacity]) => ({ id, capacity })),
      isExcluded: isOwn,
      order: (_, id) => preferred.indexOf(id),
      pause,
    },
  );
  return assigned.map((id) => id ?? "-").join("");
}
const of = (...agentIds: string[]) => agentIds.map((agentId) => ({ agentId }));

test("a call goes to who is short of most, then in random order", async () => {
  for (const preferred of ["xyz", "zyx", "yxz"])
    expect(await assign({ x: 1, y: 1, z: 1 }, of("a", "b", "c"), [...preferred])).toBe(preferred);
  // Of the calls of each agent, x gets 1.5 and y 0.5.
  expect(await assign({ x: 3, y: 1 }, of("a", "a", "b", "b"), ["y", "x"])).toBe("xyxx");
});

test("a call goes to who has fewer of the agent", async () => {
  const reviews = [{ agentId: "a", assignedTo: "x" }, { agentId: "b", assignedTo: "y" }, ...of("a", "b")];
  expect(await assign({ x: 1, y: 1 }, reviews)).toBe("xyyx");
  expect(await assign({ x: 1, y: 1 }, reviews, ["y", "x"])).toBe("xyyx");
});

test("second reviews do not count for the agent", async () => {
  const seconds = [
    { agentId: "a", isSecond: true, assignedTo: "x" },
    { agentId: "b", isSecond: true, assignedTo: "y" },
  ];
  expect(await assign({ x: 1, y: 1 }, [...seconds, ...of("a", "b")])).toBe("xyxy");
});

test("calls that some must not get go to who has the smallest part of their share, then in random order", async () => {
  const reviews = of("a", "a", "a").map((review) => ({ ...review, except: new Set(["nobody"]) }));
  expect(await assign({ x: 1, y: 2 }, reviews)).toBe("xyy");
  expect(await assign({ x: 1, y: 2 }, reviews, ["y", "x"])).toBe("yxy");
  expect(await assign({ x: 2, y: 2, z: 2 }, reviews, ["z", "y", "x"])).toBe("zyx");
  expect(await assign({ x: 1, y: 1 }, [{ agentId: "x", except: new Set(["nobody"]) }])).toBe("y");
});

test("who has no time gets no reviews, also if nobody else may get them", async () => {
  expect(await assign({ x: 0, y: 5 }, of("a", "y", "b"))).toBe("y-y");
  expect(await assign({ x: 0, y: 0 }, of("a", "b"))).toBe("--");
});

test("pauses are as frequent as there is work: reviews times reviewers", async () => {
  const pausesFor = async (reviewers: number, reviews: number) => {
    let pauses = 0;
    await assignReviewers(
      Array.from({ length: reviews }, (_, n) => ({ callId: `c${n}`, agentId: `a${n % 50}`, isSecond: false })),
      {
        reviewers: Array.from({ length: reviewers }, (_, n) => ({ id: `r${n}`, capacity: 1 })),
        isExcluded: isOwn,
        order: order(1),
        pause: async () => void pauses++,
      },
    );
    return pauses;
  };
  // Each review is visited four times.
  expect(await pausesFor(100, 1000)).toBeOneOf([8, 9, 10]);
  expect(await pausesFor(1, 5000)).toBeOneOf([4, 5]);
});
