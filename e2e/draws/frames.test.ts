import { verifyProof } from "@hearback/draws/verify-proof";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../support/http/http.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { say, until } from "../support/waiting.ts";
import { openPlanStack, type PlanStack } from "./support/plan-stack.ts";

/*
 * Plans with different filters, calls that become ready at any time, and periods that end at any time: every matching call is
 * in exactly one frame of a plan, and every draw can be verified.
 */
const plans = scale(2, 5, 50);
/** Four of five periods end in a round: about 10,000 draws with --full. */
const rounds = scale(4, 6, 250);
const agents = 6;
const chance = random();

let stack: PlanStack;
beforeAll(async () => {
  stack = await openPlanStack({ agents, reviewers: 3 });
  const create = ["campaign", "create", "--workspace", stack.workspaceId, "--id", "sales", "--name", "Sales"];
  await stack.command(...create);
  await stack.startWorker();
}, 120_000);
afterAll(() => stack?.stop());

const upTo = (most: number) => Math.floor(chance() * (most + 1));

test(`${plans} plans: every matching call is in exactly one frame`, { timeout: 3_600_000 }, async () => {
  say(`seed ${seed}`);
  const { adminDb, campaignId } = stack;
  const filters = Array.from({ length: plans }, (_, index) => [[], [campaignId], ["sales"]][index % 3] as string[]);
  const planIds: string[] = [];
  for (const campaign_ids of filters)
    planIds.push(await stack.createPlan({ campaign_ids, per_agent: 1 + upTo(3), second_percent: upTo(20) }));
  const ready = { [campaignId]: [] as string[], sales: [] as string[] };
  let draws = 0;
  for (let round = 0; round < rounds; round++) {
    for (const [campaign, ids] of Object.entries(ready)) {
      const of = Array.from({ length: upTo(12) }, () => 1 + upTo(agents - 1));
      ids.push(...(await stack.addReady(of, { campaignId: campaign })));
    }
    const ended = round === rounds - 1 ? planIds : planIds.filter(() => chance() < 0.8);
    draws += (await stack.endPeriods(ended)).length;
    await stack.requestDraws();
    await until(
      "the calls are drawn",
      120_000,
      async () => {
        const { rows } = await adminDb.query(
          "select from review_draw where closes_at <= now() and state <> 'drawn' limit 1",
        );
        return rows.length === 0;
      },
      20,
    );
  }
  for (const [index, planId] of planIds.entries()) {
    const campaigns = filters[index]?.length ? (filters[index] ?? []) : Object.keys(ready);
    const expected = Object.entries(ready).flatMap(([campaign, ids]) => (campaigns.includes(campaign) ? ids : []));
    // The primary key of the table permits one frame of a plan; nothing may be missing.
    const { rows } = await adminDb.query<{ call_id: string }>("select call_id from draw_call where plan_id = $1", [
      planId,
    ]);
    expect(rows.map(({ call_id }) => call_id).toSorted()).toEqual(expected.toSorted());
  }
  const { rows } = await adminDb.query<{ id: string }>("select id from review_draw where state = 'drawn'");
  expect(rows).toHaveLength(draws);
  let calls = 0;
  for (const { id } of rows) {
    const proof = await send(`${stack.baseUrl}/draws/${id}/proof`, {
      method: "GET",
      headers: { "x-api-key": stack.manageKey },
    });
    const verified = verifyProof(proof.text);
    expect(verified.findings).toEqual([]);
    calls += verified.calls;
  }
  say(`${draws} draws of ${planIds.length} plans, ${calls} calls in frames`);
});
