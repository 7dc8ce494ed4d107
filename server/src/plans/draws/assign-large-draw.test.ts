import { assignReviewers } from "@hearback/draws/assign-reviewers";
import type { ReviewToAssign } from "@hearback/draws/reviewer-pool";
import { expect, test } from "vitest";

/** Calls of agents in teams of 50, most of them led by a reviewer. */
function largeDraw(perAgent: number) {
  const reviewers = Array.from({ length: 20 }, (_, index) => ({ id: `r${index}`, capacity: 10 * (index + 1) }));
  const calls = 5_000 * perAgent;
  const firsts = Array.from({ length: calls }, (_, index) => {
    const call = (index * 7_919) % calls;
    return { callId: `c${call}`, agentId: `a${call % 5_000}`, isSecond: false };
  });
  const seconds = firsts.slice(0, calls / 5).map((review) => ({ ...review, isSecond: true }));
  return { reviewers, reviews: [...firsts, ...seconds] };
}
const leads = (reviewerId: string, agentId: string) =>
  Math.floor(Number(agentId.slice(1)) / 250) === Number(reviewerId.slice(1)) && reviewerId !== "r3";
const orderOfNumbers = ({ callId }: ReviewToAssign, reviewerId: string) =>
  Math.imul(Number(callId.slice(1)) ^ (Number(reviewerId.slice(1)) * 40_503), 0x9e3779b1) >>> 0;
const processorMs = () => process.threadCpuUsage().user / 1000;

test.each([20, 50])(
  "%i calls of 5,000 agents each go to 20 reviewers in short steps",
  {
    timeout: 120_000,
  },
  async (perAgent) => {
    const { reviewers, reviews } = largeDraw(perAgent);
    const began = processorMs();
    let last = began;
    let longest = 0;
    const pause = async () => {
      longest = Math.max(longest, processorMs() - last);
      last = processorMs();
    };
    const assigned = await assignReviewers(reviews, { reviewers, isExcluded: leads, order: orderOfNumbers, pause });
    await pause();
    expect(last - began, "milliseconds of processor time").toBeLessThan(10_000);
    // Usually 50, with a collection of garbage.
    expect(longest, "milliseconds of processor time between two pauses").toBeLessThan(200);

    const sizes = new Map(reviewers.map(({ id }) => [id, 0]));
    const byAgent = new Map<string, number>();
    for (const [index, { agentId, isSecond }] of reviews.entries()) {
      const id = assigned[index] ?? "";
      sizes.set(id, (sizes.get(id) ?? 0) + 1);
      if (!isSecond) byAgent.set(`${agentId} ${id}`, (byAgent.get(`${agentId} ${id}`) ?? 0) + 1);
    }
    const share = ({ capacity }: { capacity: number }) => capacity / (10 * 210);
    for (const reviewer of reviewers)
      expect(Math.abs((sizes.get(reviewer.id) ?? 0) - share(reviewer) * reviews.length)).toBeLessThan(1);
    const isEven = (agentId: string, reviewer: (typeof reviewers)[number]) => {
      const count = byAgent.get(`${agentId} ${reviewer.id}`) ?? 0;
      return leads(reviewer.id, agentId) ? count === 0 : Math.abs(count - share(reviewer) * perAgent) < 2;
    };
    const uneven = Array.from({ length: 5_000 }, (_, agent) => `a${agent}`).filter(
      (agentId) => !reviewers.every((reviewer) => isEven(agentId, reviewer)),
    );
    expect(uneven).toEqual([]);
  },
);
