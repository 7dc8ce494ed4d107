import { expect, test } from "vitest";
import { auditOf } from "../../testing/json-client.ts";
import { aScorecard, openPerson, openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { announceOverdueDisputes } from "./announce-overdue.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const tests = await openReviewTests(service);
const { agent, reviewer, supervisor, publish, released, dispute, start } = tests;

const resolve = (by: typeof agent, id: string, decision: object) =>
  by.ask("POST", `/disputes/${id}/resolve`, {
    items: [{ question_id: "greeting", explanation: "Heard again.", ...decision }],
  });
/** The person who was assigned, of those who can decide. */
const arbiterOf = ({ arbiter_id }: { arbiter_id: string }) =>
  [supervisor, tests.admin].find(({ id }) => id === arbiter_id) ?? supervisor;

test("an agent disputes, an arbiter changes the answer, the agent sees both", async () => {
  const { id } = await released();
  const moment = { start_ms: 4000, end_ms: 6000 };
  const opened = await dispute(id, { moment });
  expect(opened).toMatchObject({
    status: 201,
    body: {
      ...{ level: 1, state: "open", overdue: false, agent_id: agent.id, reviewer: { id: reviewer.id } },
      scorecard: { name: "Support call", version: 1 },
      items: [{ question_id: "greeting", reason: "At 0:04.", moment, answer: { value: "no" }, decided: null }],
    },
  });
  expect([supervisor.id, tests.admin.id]).toContain(opened.body.arbiter_id);
  expect((await agent.ask("GET", `/reviews/${id}`)).body).toMatchObject({ dispute: "open" });

  const arbiter = arbiterOf(opened.body);
  const actionsOf = async (by: typeof agent) => (await by.ask("GET", `/reviews/${id}`)).body.actions;
  expect(await actionsOf(arbiter)).toEqual(["correct", "void", "resolve"]);
  expect(await actionsOf(reviewer)).toEqual([]);
  const decided = await resolve(arbiter, opened.body.id, { decision: "changed" });
  expect(decided).toMatchObject({
    status: 200,
    body: {
      state: "resolved",
      items: [{ decision: "changed", explanation: "Heard again.", answer: { value: "no" }, decided: { value: "yes" } }],
    },
  });
  expect(await actionsOf(arbiter)).toEqual(["correct", "void"]);
  expect((await agent.ask("GET", `/reviews/${id}`)).body).toMatchObject({
    score: 10_000,
    dispute: "resolved",
    revisions: [
      { number: 2, cause: "dispute", changed: ["greeting"], author: { id: opened.body.arbiter_id } },
      { number: 1, score: 6000 },
    ],
  });
  expect(await resolve(supervisor, opened.body.id, { decision: "upheld" })).toMatchObject({
    status: 409,
    body: { code: "dispute_resolved" },
  });
});

test("an upheld answer makes no revision; the second level goes to another person and is the last", async () => {
  const { id } = await released();
  const first = (await dispute(id)).body;
  expect(await dispute(id)).toMatchObject({ status: 409, body: { code: "not_disputable" } });
  await resolve(arbiterOf(first), first.id, { decision: "upheld" });
  expect((await agent.ask("GET", `/reviews/${id}`)).body).toMatchObject({
    revision: 1,
    actions: ["acknowledge", "dispute"],
  });

  const second = (await dispute(id)).body;
  expect(second.level).toBe(2);
  expect(second.arbiter_id).not.toBe(first.arbiter_id);
  expect(await resolve(arbiterOf(first), second.id, { decision: "changed" })).toMatchObject({
    status: 403,
    body: { code: "not_arbiter" },
  });
  await resolve(arbiterOf(second), second.id, { decision: "upheld" });
  expect(await dispute(id)).toMatchObject({ status: 409, body: { code: "not_disputable" } });
});

test("arbiters take turns; the reviewer never decides", async () => {
  const own = await released({}, supervisor);
  expect((await dispute(own.id)).body.arbiter_id).toBe(tests.admin.id);
  const others: string[] = [];
  for (let n = 0; n < 4; n++) others.push((await dispute((await released()).id)).body.arbiter_id);
  expect(new Set(others.slice(0, 2)).size).toBe(2);
  expect(others.slice(2)).toEqual(others.slice(0, 2));
});

test("a named arbiter can be a reviewer, who sees the review then; a removed one is replaced by a supervisor", async () => {
  const arbiter = await openPerson(service, "reviewer");
  const scorecard = await publish();
  await supervisor.ask("PATCH", `/scorecards/${scorecard}`, { arbiter_ids: [arbiter.id, reviewer.id] });
  const { id } = (await start(reviewer, undefined, scorecard)).body;
  await reviewer.ask("PUT", `/reviews/${id}/answers/greeting`, { value: "no" }, 1);
  await reviewer.ask("PUT", `/reviews/${id}/answers/identity`, { value: "full" }, 2);
  await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, 3);
  await supervisor.ask("POST", `/reviews/${id}/release`);
  expect((await arbiter.ask("GET", `/reviews/${id}`)).status).toBe(404);
  const opened = (await dispute(id)).body;
  expect(opened.arbiter_id).toBe(arbiter.id);
  expect((await arbiter.ask("GET", `/reviews/${id}`)).status).toBe(200);
  expect((await arbiter.ask("GET", "/disputes")).body.disputes).toMatchObject([{ id: opened.id }]);
  expect(await resolve(reviewer, opened.id, { decision: "upheld" })).toMatchObject({ status: 403 });

  await tests.admin.ask("PATCH", `/users/${arbiter.id}`, { deactivated: true });
  expect((await supervisor.ask("GET", `/disputes/${opened.id}`)).body.arbiter_id).toBeNull();
  const given = await supervisor.ask("PATCH", `/disputes/${opened.id}`, { arbiter_id: tests.admin.id });
  expect(given.body.arbiter_id).toBe(tests.admin.id);
  for (const unfit of [reviewer.id, agent.id, arbiter.id])
    expect((await supervisor.ask("PATCH", `/disputes/${opened.id}`, { arbiter_id: unfit })).status).toBe(422);
  expect((await resolve(tests.admin, opened.id, { decision: "changed" })).status).toBe(200);
});

test("a dispute never lowers the score", async () => {
  const { id } = await released();
  const opened = (await dispute(id)).body;
  const lower = { decision: "changed", answer: { not_applicable: true } };
  // 60 of 100 becomes 100 of 100; the identity alone would be changed to a lower answer.
  expect((await resolve(arbiterOf(opened), opened.id, lower)).status).toBe(200);
  const other = await released({ greeting: { value: "yes" }, identity: { value: "partly", comment: "C" } });
  const items = [{ question_id: "identity", proposed: { value: "no" }, reason: "R" }];
  const worse = (await agent.ask("POST", `/reviews/${other.id}/disputes`, { items })).body;
  const decision = [{ question_id: "identity", decision: "changed", explanation: "E" }];
  const refused = await arbiterOf(worse).ask("POST", `/disputes/${worse.id}/resolve`, { items: decision });
  expect(refused).toMatchObject({ status: 409, body: { code: "dispute_lowers_score" } });
});

test("items must be decided completely, and proposals must fit", async () => {
  const { id } = await released();
  for (const [item, code] of [
    [{ proposed: {} }, "missing"],
    [{ proposed: { value: "no" } }, "unchanged"],
    [{ proposed: { value: "perhaps" } }, "option_unknown"],
    [{ question_id: "unknown" }, "question_unknown"],
  ] as const) {
    const refused = await dispute(id, item);
    expect([refused.status, typeof refused.body.errors[0].code], code).toEqual([422, "string"]);
  }
  const opened = (await dispute(id)).body;
  expect((await resolve(arbiterOf(opened), opened.id, { question_id: "identity", decision: "upheld" })).status).toBe(
    422,
  );
});

test("the time to object ends; others' reviews cannot be disputed", async () => {
  const { id } = await released();
  const stranger = await openPerson(service, "agent");
  const items = [{ question_id: "greeting", proposed: { value: "yes" }, reason: "R" }];
  expect((await stranger.ask("POST", `/reviews/${id}/disputes`, { items })).status).toBe(404);
  await admin.query("update review set disputable_until = now() - interval '1 second' where id = $1", [id]);
  expect(await dispute(id)).toMatchObject({ status: 409, body: { code: "not_disputable" } });
  expect((await agent.ask("GET", `/reviews/${id}`)).body.actions).toEqual(["acknowledge"]);
  const never = await publish({ ...aScorecard, dispute_days: 0, release: "on_submit" });
  const draft = (await start(reviewer, undefined, never)).body;
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/greeting`, { value: "no" }, 1);
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/identity`, { value: "full" }, 2);
  await reviewer.ask("POST", `/reviews/${draft.id}/submit`, undefined, 3);
  expect((await dispute(draft.id)).status).toBe(409);
});

test("voiding closes an open dispute", async () => {
  const { id } = await released();
  const opened = (await dispute(id)).body;
  await supervisor.ask("POST", `/reviews/${id}/void`, { reason: "Wrong agent." });
  expect((await supervisor.ask("GET", `/disputes/${opened.id}`)).body).toMatchObject({
    state: "resolved",
    items: [{ decision: null }],
  });
});

test("an overdue dispute is announced once and counted for administrators", async () => {
  await announceOverdueDisputes(app, caller.workspaceId);
  const { id } = await released();
  const opened = (await dispute(id)).body;
  await admin.query("update dispute set due_at = now() - interval '1 hour' where id = $1", [opened.id]);
  expect(await announceOverdueDisputes(app, caller.workspaceId)).toBe(1);
  expect(await announceOverdueDisputes(app, caller.workspaceId)).toBe(0);
  const { rows } = await admin.query("select data from event where type = 'dispute.overdue'");
  expect(rows).toMatchObject([{ data: { dispute_id: opened.id, review_id: id, agent_id: agent.id } }]);
  expect((await tests.admin.ask("GET", "/reviews/waiting")).body.overdue_disputes).toBe(1);
  expect((await supervisor.ask("GET", "/reviews/waiting")).body.overdue_disputes).toBe(0);
});

test("lists: open ones oldest first, own ones for agents; audit entries carry ids only", async () => {
  const reviews = [await released(), await released()];
  const entries = await auditOf(service, async () => {
    for (const { id } of reviews) await dispute(id, { reason: "secret" });
  });
  expect(entries.map(({ action }) => action)).toEqual(["review.disputed", "review.disputed"]);
  expect(JSON.stringify(entries)).not.toContain("secret");
  const { disputes } = (await agent.ask("GET", "/disputes?limit=200")).body;
  expect(disputes.slice(-2).map((one: { review_id: string }) => one.review_id)).toEqual(reviews.map(({ id }) => id));
  const page = (await agent.ask("GET", "/disputes?limit=1")).body;
  const rest = (await agent.ask("GET", `/disputes?limit=200&cursor=${page.next}`)).body.disputes;
  expect([...page.disputes, ...rest]).toEqual(disputes);
  const stranger = await openPerson(service, "agent");
  expect((await stranger.ask("GET", "/disputes")).body.disputes).toEqual([]);
  expect((await stranger.ask("GET", `/disputes/${disputes[0].id}`)).status).toBe(404);
  const mine = (await supervisor.ask("GET", "/disputes?mine=true")).body.disputes;
  expect(mine.every((one: { arbiter_id: string }) => one.arbiter_id === supervisor.id)).toBe(true);
});
