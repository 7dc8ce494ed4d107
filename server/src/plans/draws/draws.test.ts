import { verifyProof } from "@hearback/draws/verify-proof";
import { expect, test } from "vitest";
import { openPlanTests } from "../../testing/plans.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { runDraws } from "./run-draws.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const { workspaceId } = caller;
const tests = await openPlanTests(service);
const { supervisor, agent, reviewer, createPlan, addReady, currentDraw, endPeriod, draw, newAgent } = tests;

const drawsOf = async (planId: string) => (await supervisor.ask("GET", `/draws?plan_id=${planId}`)).body.draws;
const drawnCalls = async (drawId: string): Promise<{ call_id: string; reviewer_id: string }[]> =>
  (
    await admin.query("select * from assignment where draw_id = $1 and kind = 'first' order by agent_id, place", [
      drawId,
    ])
  ).rows;

test("a plan commits to the current and the next period before they end", async () => {
  const planId = await createPlan();
  const [next, current] = await drawsOf(planId);
  expect(current).toMatchObject({ number: 1, state: "committed", key: null, root: null, progress: null });
  expect(next).toMatchObject({ number: 2, state: "committed", starts_at: current.ends_at });
  expect(current.commitment).toMatch(/^[0-9a-f]{64}$/);
  const { rows } = await admin.query("select data, action from audit_entry where workspace_id = $1 and number = $2", [
    workspaceId,
    current.commitment_entry,
  ]);
  expect(rows).toEqual([
    {
      action: "draw.committed",
      data: {
        plan_id: planId,
        period: current.period,
        commitment: current.commitment,
        rules_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
  ]);
});

test("after the period, the calls with the smallest tickets are drawn, and everyone can check it", async () => {
  const planId = await createPlan();
  const other = await newAgent();
  const own = await addReady(Array(7).fill(agent.id));
  await addReady([other.id]);
  await addReady([other.id], { durationMs: null, status: "failed" });
  const drawId = await draw(planId);
  const drawn = (await supervisor.ask("GET", `/draws/${drawId}`)).body;
  expect(drawn).toMatchObject({ state: "drawn", agents: 2, calls: 8, progress: { open: 3, done: 0 }, skips: {} });
  const whole = (await supervisor.ask("GET", `/draws/${drawId}/proof`)).body;
  expect(verifyProof(whole)).toMatchObject({ agents: 2, calls: 8, drawn: 3, findings: [] });
  const part = (await agent.ask("GET", `/draws/${drawId}/proof`)).body;
  expect(verifyProof(part)).toMatchObject({ agents: 1, calls: 7, drawn: 2, findings: [] });
  expect(part).not.toContain(other.id);
  expect(JSON.parse(part.split("\n")[1] as string).calls).toEqual(own.toSorted());
  expect((await agent.ask("GET", `/draws/${drawId}`)).body).toMatchObject({
    mine: { calls: 7, drawn: 2 },
    progress: null,
  });
  const queue = (await reviewer.ask("GET", "/assignments/queue")).body;
  expect(queue).toMatchObject({ open: 3, next: { kind: null, reviewer_id: reviewer.id } });
});

test("a proof exists only after the draw, and the key is secret until then", async () => {
  const planId = await createPlan();
  const id = await currentDraw(planId);
  expect(await supervisor.ask("GET", `/draws/${id}/proof`)).toMatchObject({
    status: 409,
    body: { code: "draw_not_drawn" },
  });
  const { rows } = await admin.query("select encode(key, 'hex') as key from review_draw where id = $1", [id]);
  for (const path of [`/draws/${id}`, "/draws", "/events?limit=100", "/audit?limit=100"])
    expect(JSON.stringify((await supervisor.ask("GET", path)).body)).not.toContain(rows[0].key);
});

test("a call is in one frame of a plan, however late it becomes ready", async () => {
  const planId = await createPlan({ per_agent: 50 });
  const first = await addReady(Array(3).fill(agent.id));
  const firstDraw = await draw(planId);
  const late = await addReady([agent.id, agent.id], { happenedAt: new Date(Date.UTC(2026, 3, 2)) });
  // Ready before the period's end, but committed after the frame was closed: the clocks of two servers differ.
  const [skewed = ""] = await addReady([agent.id]);
  await admin.query(
    "update ready_call set ready_at = (select ends_at from review_draw where id = $1) - interval '1 millisecond' where call_id = $2",
    [firstDraw, skewed],
  );
  const secondDraw = await draw(planId);
  const callsOf = async (id: string) =>
    (await admin.query("select call_id from draw_call where draw_id = $1 order by call_id", [id])).rows.map(
      (row) => row.call_id,
    );
  expect(await callsOf(firstDraw)).toEqual(first.toSorted());
  expect(await callsOf(secondDraw)).toEqual([...late, skewed].toSorted());
});

test("calls that were ready before the plan existed are in no frame", async () => {
  await addReady([agent.id]);
  const planId = await createPlan();
  const drawId = await draw(planId);
  expect((await supervisor.ask("GET", `/draws/${drawId}`)).body).toMatchObject({ state: "drawn", agents: 0, calls: 0 });
  expect(verifyProof((await supervisor.ask("GET", `/draws/${drawId}/proof`)).body).findings).toEqual([]);
});

test("filters: campaign, team, duration, metadata", async () => {
  const team = (await service.admin.query("select id from team limit 1")).rows[0]?.id;
  expect(team).toBeUndefined();
  const planId = await createPlan({
    per_agent: 50,
    campaign_ids: [service.campaignId],
    min_duration_s: 30,
    max_duration_s: 120,
    metadata: [{ key: "queue", value: "billing" }],
  });
  const metadata = [{ key: "queue", value: "billing" }];
  const matching = await addReady([agent.id], { metadata });
  await addReady([agent.id]);
  await addReady([agent.id], { metadata, durationMs: 10_000 });
  await addReady([agent.id], { metadata, durationMs: 200_000 });
  const drawId = await draw(planId);
  expect((await drawnCalls(drawId)).map(({ call_id }) => call_id)).toEqual(matching);
});

test("the nonce becomes part of the seed until the frame is closed", async () => {
  const planId = await createPlan();
  const id = await currentDraw(planId);
  await addReady(Array(5).fill(agent.id));
  expect(await supervisor.ask("PATCH", `/draws/${id}`, { nonce: "4 8 15 16" })).toMatchObject({
    status: 200,
    body: { nonce: "4 8 15 16" },
  });
  await draw(planId);
  expect((await supervisor.ask("PATCH", `/draws/${id}`, { nonce: "other" })).body).toMatchObject({
    code: "nonce_fixed",
  });
  const proof = (await supervisor.ask("GET", `/draws/${id}/proof`)).body;
  expect(verifyProof(proof).findings).toEqual([]);
  expect(verifyProof(proof.replace("4 8 15 16", "4 8 15 17")).findings).not.toEqual([]);
});

test("changed rules apply from the next period on; the draw that has begun keeps its own", async () => {
  const planId = await createPlan({ per_agent: 1 });
  const [nextBefore, current] = await drawsOf(planId);
  const changed = await supervisor.ask("PATCH", `/plans/${planId}`, { per_agent: 3 });
  expect(changed.body).toMatchObject({ per_agent: 3, pending: true });
  const [next, same] = await drawsOf(planId);
  expect(same).toEqual(current);
  expect(next).toMatchObject({ number: 2, rules: { per_agent: 3 }, starts_at: current.ends_at });
  expect(next.commitment).not.toBe(nextBefore.commitment);
});

test("an ended plan draws its current period and then stops", async () => {
  const planId = await createPlan();
  expect((await supervisor.ask("PATCH", `/plans/${planId}`, { ended: true })).body.ended_at).not.toBeNull();
  await addReady([agent.id]);
  await admin.query(
    "insert into ready_call (workspace_id, call_id) select $1, id from call where workspace_id = $1 on conflict do nothing",
    [workspaceId],
  );
  const drawId = await draw(planId);
  expect((await drawsOf(planId)).map(({ id }: { id: string }) => id)).toEqual([drawId]);
  expect((await supervisor.ask("PATCH", `/plans/${planId}`, { per_agent: 4 })).body).toMatchObject({
    code: "plan_ended",
  });
});

test("the monthly limit counts the draws of all plans", async () => {
  const someone = await newAgent();
  const [first, second] = [await createPlan({ per_agent: 2 }), await createPlan({ per_agent: 5, monthly_limit: 3 })];
  await addReady(Array(6).fill(someone.id));
  const a = await draw(first);
  const b = await draw(second);
  expect(await drawnCalls(a)).toHaveLength(2);
  expect(await drawnCalls(b)).toHaveLength(1);
  const verified = verifyProof((await supervisor.ask("GET", `/draws/${b}/proof`)).body);
  expect(verified).toMatchObject({ limited: 1, findings: [] });
});

test("a draw that has begun cannot be changed, not even by the owner of the tables", async () => {
  const id = await currentDraw(await createPlan());
  const update = (what: string) => admin.query(`update review_draw set ${what} where id = $1`, [id]);
  await expect(update("key = sha256('x'), commitment = sha256(sha256('x'))")).rejects.toThrow("does not change");
  await expect(update("rules = '{}'")).rejects.toThrow("does not change");
  await expect(update("ends_at = ends_at + interval '1 day'")).rejects.toThrow("does not change");
  await expect(admin.query("delete from review_draw where id = $1", [id])).rejects.toThrow("not deleted");
});

test("a draw that is interrupted after every transaction gives the same result", async () => {
  const people = [await newAgent(), await newAgent(), await newAgent()];
  const planId = await createPlan({
    per_agent: 3,
    second_percent: 20,
    reviewers: [
      { user_id: reviewer.id, capacity: 10 },
      { user_id: supervisor.id, capacity: 20 },
    ],
  });
  await addReady(people.flatMap(({ id }) => Array(40).fill(id)));
  const drawId = await endPeriod(planId);
  let interruptions = 0;
  for (let allowed = 1; ; allowed++) {
    const stop = new AbortController();
    let checks = 0;
    const signal = new Proxy(stop.signal, {
      get(target, name) {
        if (name === "throwIfAborted")
          return () => {
            if (++checks > allowed) throw new Error("interrupted");
          };
        return Reflect.get(target, name);
      },
    });
    try {
      await runDraws(app, workspaceId, signal);
      break;
    } catch (error) {
      expect(String(error)).toContain("interrupted");
      interruptions++;
    }
  }
  expect(interruptions).toBeGreaterThan(3);
  const drawn = await drawnCalls(drawId);
  expect(drawn).toHaveLength(9);
  expect(drawn.every(({ reviewer_id }) => reviewer_id !== null)).toBe(true);
  const seconds = await admin.query("select 1 from assignment where draw_id = $1 and kind = 'second'", [drawId]);
  expect(seconds.rowCount).toBe(2);
  expect(verifyProof((await supervisor.ask("GET", `/draws/${drawId}/proof`)).body).findings).toEqual([]);
});

test("an erased agent leaves a root without calls, and the proof of the others still holds", async () => {
  const gone = await newAgent();
  const planId = await createPlan();
  await addReady([agent.id, gone.id]);
  const drawId = await draw(planId);
  await admin.query("update draw_agent set agent_id = null where agent_id = $1", [gone.id]);
  await admin.query("delete from draw_call where agent_id = $1", [gone.id]);
  const proof = (await supervisor.ask("GET", `/draws/${drawId}/proof`)).body;
  expect(verifyProof(proof)).toMatchObject({ agents: 2, withoutCalls: 1, findings: [] });
});
