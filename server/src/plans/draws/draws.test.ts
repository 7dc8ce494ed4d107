import { randomBytes } from "node:crypto";
import { verifyProof } from "@hearback/draws/verify-proof";
import { expect, test } from "vitest";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { openSecretBox } from "../../platform/secret-box.ts";
import { openPlanTests } from "../../testing/plans.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { runDraw, runDraws } from "../run-draws.ts";
import { openKey, openSecondKey } from "./draw-keys.ts";
import { countStaleDrawKeys, encryptDrawKeys } from "./encrypt-draw-keys.ts";
import { findDraw } from "./find-draw.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const { workspaceId } = caller;
const tests = await openPlanTests(service);
const { supervisor, agent, reviewer, createPlan, addReady, currentDraw, endPeriod, draw, newAgent, newReviewer } =
  tests;

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
        second_commitment: current.second_commitment,
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
  const { rows } = await admin.query("select key, sealed_key, sealed_second_key from review_draw where id = $1", [id]);
  const { key, sealed_key, sealed_second_key } = rows[0];
  expect(key).toBeNull();
  for (const path of [`/draws/${id}`, "/draws", "/events?limit=100", "/audit?limit=100"])
    for (const secret of [sealed_key, sealed_second_key])
      expect(JSON.stringify((await supervisor.ask("GET", path)).body)).not.toContain(secret);
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

test("a call that became ready after the period is in the next frame, although the frame is closed later", async () => {
  const planId = await createPlan({ per_agent: 50 });
  const during = await addReady([agent.id]);
  const first = await endPeriod(planId);
  const after = await addReady([agent.id, agent.id]);
  await runDraws(app, workspaceId);
  const second = await draw(planId);
  expect((await drawnCalls(first)).map(({ call_id }) => call_id)).toEqual(during);
  expect((await drawnCalls(second)).map(({ call_id }) => call_id).toSorted()).toEqual(after.toSorted());
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
  // Enough calls that another nonce does not draw the same ones by chance.
  const planId = await createPlan({ per_agent: 10 });
  const id = await currentDraw(planId);
  await addReady(Array(20).fill(agent.id));
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
  // The only one of the workspace.
  for (const { id } of (await supervisor.ask("GET", "/plans?limit=100")).body.plans)
    await supervisor.ask("PATCH", `/plans/${id}`, { ended: true });
  const planId = await createPlan();
  const before = await addReady([agent.id]);
  expect((await supervisor.ask("PATCH", `/plans/${planId}`, { ended: true })).body.ended_at).not.toBeNull();
  const after = await addReady([agent.id]);
  const drawId = await draw(planId);
  expect((await drawnCalls(drawId)).map(({ call_id }) => call_id).toSorted()).toEqual([...before, ...after].toSorted());
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

test("the monthly limit holds when two workers draw at the same time", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, newAgent));
  const rules = { per_agent: 2, monthly_limit: 2 };
  const plans = [await createPlan(rules), await createPlan(rules)];
  await addReady(people.flatMap(({ id }) => Array(4).fill(id)));
  const draws = [await endPeriod(plans[0] ?? ""), await endPeriod(plans[1] ?? "")];
  await Promise.all(draws.map((id) => runDraw(app, workspaceId, id)));
  const { rows } = await admin.query(
    "select count(*)::int as n from assignment where agent_id = any ($1) group by agent_id",
    [people.map(({ id }) => id)],
  );
  expect(rows).toEqual(Array(6).fill({ n: 2 }));
});

test("a draw that fails does not keep the others from being drawn", async () => {
  const [broken, sound] = [await endPeriod(await createPlan()), await endPeriod(await createPlan())];
  const set = (what: string) =>
    admin.query(
      `begin; set local session_replication_role = replica; update review_draw set ${what} where id = '${broken}'; commit`,
    );
  await set("state = 'assigning'");
  await expect(runDraws(app, workspaceId)).rejects.toThrow("1 steps of the draws failed");
  expect((await supervisor.ask("GET", `/draws/${sound}`)).body.state).toBe("drawn");
  await set("state = 'drawn', drawn_at = now()");
});

test("calls for a reviewer who is deactivated during the draw go to the others", async () => {
  const [leaving, staying] = [await newReviewer(), await newReviewer()];
  const planId = await createPlan({
    per_agent: 6,
    second_percent: 20,
    reviewers: [leaving, staying, reviewer].map(({ id }) => ({ user_id: id, capacity: 10 })),
  });
  await addReady([...Array(6).fill(agent.id), ...Array(6).fill((await newAgent()).id)]);
  const drawId = await endPeriod(planId);
  const client = await admin.connect();
  // As PATCH /users does it, which commits while the reviewers are chosen.
  await client.query("begin");
  await client.query("update app_user set deactivated_at = now() where id = $1", [leaving.id]);
  await client.query("update assignment set reviewer_id = null where reviewer_id = $1 and state = 'open'", [
    leaving.id,
  ]);
  const running = runDraws(app, workspaceId);
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%app_user%'";
  const state = async () => (await admin.query("select state from review_draw where id = $1", [drawId])).rows[0].state;
  await expect
    .poll(async () => (await state()) === "drawn" || (await admin.query(waiting)).rowCount !== 0, { timeout: 20_000 })
    .toBe(true);
  await client.query("commit");
  client.release();
  await running;
  const { rows } = await admin.query("select call_id, kind, state, reviewer_id from assignment where draw_id = $1", [
    drawId,
  ]);
  expect(rows).toHaveLength(14);
  for (const row of rows) {
    expect(row.state).toBe("open");
    expect([staying.id, reviewer.id]).toContain(row.reviewer_id);
  }
  expect(new Set(rows.map(({ call_id, reviewer_id }) => `${call_id} ${reviewer_id}`)).size).toBe(14);
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

test("with ENCRYPTION_KEYS, a copy of the database does not say which calls will be drawn", async () => {
  const id = await currentDraw(await createPlan());
  const inPlainText = await storedKeys(id);
  const { id: keyId, key } = { id: "k1", key: randomBytes(32) };
  const encrypting = { ...app, secretBox: openSecretBox([{ id: keyId, key }]) };
  expect(await countStaleDrawKeys(encrypting, workspaceId)).toMatchObject({ unreadable: 0 });
  expect(await encryptDrawKeys(encrypting, workspaceId)).toBeGreaterThan(0);
  expect(await encryptDrawKeys(encrypting, workspaceId)).toBe(0);
  expect(await countStaleDrawKeys(encrypting, workspaceId)).toEqual({ stale: 0, unreadable: 0 });
  expect((await countStaleDrawKeys(app, workspaceId)).unreadable).toBeGreaterThan(0);
  for (const stored of await storedKeys(id)) expect(stored).toMatch(/^aes256gcm\.k1\./);
  const sealed = await inWorkspace(app, workspaceId, (tx) => findDraw(tx, workspaceId, id));
  expect([openKey(encrypting, sealed), openSecondKey(encrypting, sealed)].map((one) => one?.toString("hex"))).toEqual(
    inPlainText,
  );
});
const storedKeys = async (id: string): Promise<string[]> => {
  const { rows } = await admin.query("select sealed_key, sealed_second_key from review_draw where id = $1", [id]);
  return [rows[0].sealed_key, rows[0].sealed_second_key];
};
