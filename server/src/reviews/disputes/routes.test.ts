import { parseTestCases } from "@hearback/scoring/test-cases";
import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../../testing/json-client.ts";
import { aScorecard, openPerson, openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { announceOverdueDisputes } from "./announce-overdue.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const tests = await openReviewTests(service);
const { agent, reviewer, supervisor, publish, released, dispute, start, scorecardId } = tests;

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
      {
        number: 2,
        cause: "dispute",
        changed: [{ question_id: "greeting", before: { value: "no" }, after: { value: "yes" } }],
        author: { id: opened.body.arbiter_id },
      },
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

test("a decided dispute is kept as a test case of its scorecard, and only a decided one", async () => {
  const { id } = await released();
  const opened = await dispute(id);
  const path = `/disputes/${opened.body.id}`;
  const cases = async (by = supervisor) => by.ask("GET", `/scorecards/${scorecardId}/test-cases`);
  const keep = (test_case: string | null) => supervisor.ask("PATCH", path, { test_case });
  expect(await keep("Greets by name")).toMatchObject({ status: 422, body: { errors: [{ code: "not_decided" }] } });
  const items = [{ question_id: "greeting", decision: "changed", explanation: "Heard again." }];
  expect((await supervisor.ask("POST", `${path}/resolve`, { items })).status).toBe(200);
  expect(await keep("Greets by name")).toMatchObject({ status: 200, body: { test_case: "Greets by name" } });
  expect((await agent.ask("PATCH", path, { test_case: "Mine" })).status).toBe(403);
  expect((await cases(agent)).status).toBe(403);
  const kept = (await cases()).body;
  expect(kept.cases).toEqual([
    {
      name: "Greets by name",
      answers: { greeting: { value: "yes" }, identity: { value: "full" } },
      expect: { score: 100, outcome: "passed" },
    },
  ]);
  expect(parseTestCases(kept).ok).toBe(true);
  expect((await supervisor.ask("PATCH", path, {})).status).toBe(400);
  expect((await supervisor.ask("PATCH", path, { test_case: "x", arbiter_id: supervisor.id })).status).toBe(422);
  expect(await keep(null)).toMatchObject({ status: 200, body: { test_case: null } });
  expect((await cases()).body.cases).toEqual([]);
});

/** The identity decides whether the next question is asked, and two answers need comments. */
const branching = {
  ...aScorecard,
  fail: "keeps_score",
  sections: [
    {
      ...aScorecard.sections[0],
      questions: [
        ...aScorecard.sections[0].questions,
        {
          id: "missing",
          title: "What was missing?",
          type: "multiple",
          options: [{ id: "birth", label: "Date of birth" }],
          when: { question: "identity", is: ["partly"] },
        },
      ],
    },
  ],
};

test("a decision changes an answer although others lack a comment or become visible without an answer", async () => {
  const branchingId = await publish(branching);
  const { body: draft } = await start(reviewer, undefined, branchingId);
  let { number } = draft;
  for (const [question, answer] of Object.entries({
    greeting: { value: "no" },
    identity: { value: "no", comment: "Nothing asked." },
  }))
    number = (await reviewer.ask("PUT", `/reviews/${draft.id}/answers/${question}`, answer, number)).body.number;
  await reviewer.ask("POST", `/reviews/${draft.id}/submit`, undefined, number);
  await supervisor.ask("POST", `/reviews/${draft.id}/release`);
  const opened = await agent.ask("POST", `/reviews/${draft.id}/disputes`, {
    items: [{ question_id: "identity", proposed: { value: "partly" }, reason: "Address at 0:10." }],
  });
  expect(opened.status).toBe(201);
  const items = [{ question_id: "identity", decision: "changed", explanation: "Yes, the address." }];
  expect(await supervisor.ask("POST", `/disputes/${opened.body.id}/resolve`, { items })).toMatchObject({ status: 200 });
  const { body } = await agent.ask("GET", `/reviews/${draft.id}`);
  expect(body).toMatchObject({ score: 3000, answers: { identity: { value: "partly", comment: "Nothing asked." } } });
});

test("a dispute never makes the outcome worse, even with the same score", async () => {
  const scorecardId = await publish({
    ...branching,
    passing_score: 0,
    sections: [
      {
        id: "call",
        title: "Call",
        questions: [
          { id: "greeting", title: "Greets", type: "yes_no", weight: 40 },
          {
            id: "tone",
            title: "Tone",
            type: "choice",
            weight: 60,
            options: [
              { id: "calm", label: "Calm", points: 1 },
              { id: "loud", label: "Loud", points: 1, fails: "call" },
              { id: "rude", label: "Rude", points: 0 },
            ],
          },
        ],
      },
    ],
  });
  const { body: draft } = await start(reviewer, undefined, scorecardId);
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/greeting`, { value: "no" }, 1);
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/tone`, { value: "calm" }, 2);
  await reviewer.ask("POST", `/reviews/${draft.id}/submit`, undefined, 3);
  await supervisor.ask("POST", `/reviews/${draft.id}/release`);
  const proposed = { value: "loud" };
  const opened = await agent.ask("POST", `/reviews/${draft.id}/disputes`, {
    items: [{ question_id: "tone", proposed, reason: "I was." }],
  });
  const items = [{ question_id: "tone", decision: "changed", explanation: "Right." }];
  expect(await supervisor.ask("POST", `/disputes/${opened.body.id}/resolve`, { items })).toMatchObject({
    status: 409,
    body: { code: "dispute_lowers_score" },
  });
});

test("the reviewer cannot correct or void their review while it is disputed", async () => {
  const { id } = await released({}, supervisor);
  await dispute(id);
  const reason = "Wrong call.";
  const refused = { status: 403, body: { code: "not_arbiter" } };
  expect(await supervisor.ask("POST", `/reviews/${id}/void`, { reason })).toMatchObject(refused);
  const answers = { greeting: { value: "yes" } };
  expect(await supervisor.ask("POST", `/reviews/${id}/correct`, { answers, reason })).toMatchObject(refused);
  expect((await supervisor.ask("GET", `/reviews/${id}`)).body.actions).toEqual([]);
  expect((await tests.admin.ask("POST", `/reviews/${id}/void`, { reason })).status).toBe(200);
});

const reason = "Heard again.";
const correct = (by: Pick<typeof agent, "ask">, id: string, value: string) =>
  by.ask("POST", `/reviews/${id}/correct`, { answers: { greeting: { value } }, reason });
const refused = { status: 403, body: { code: "not_arbiter" } };

/** A key that a user created, as a person who sends requests with it. */
async function keyOf(by: typeof agent) {
  const { body: created } = await by.ask("POST", "/keys", { name: "own", scopes: ["review", "manage"] });
  const ask = openJsonClient(service, created.key);
  return {
    id: created.id as string,
    ask: (...[method, url, body, ifMatch]: Parameters<typeof agent.ask>) =>
      ask(method, url, body, created.key, ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` }),
  };
}

test("the author of a disputed review does not choose who decides it, neither by session nor by their key", async () => {
  const { id } = await released({}, tests.admin);
  const opened = (await dispute(id)).body;
  const key = await keyOf(tests.admin);
  const other = await openPerson(service, "supervisor");
  const assign = (by: Pick<typeof agent, "ask">) => by.ask("PATCH", `/disputes/${opened.id}`, { arbiter_id: other.id });
  for (const author of [tests.admin, key]) expect(await assign(author)).toMatchObject(refused);
  expect(await assign(supervisor)).toMatchObject({ status: 200, body: { arbiter_id: other.id } });
});

test("after a decision, the author neither lowers the score nor voids the review, neither by session nor by their key", async () => {
  const { id } = await released({}, tests.admin);
  const key = await keyOf(tests.admin);
  expect((await correct(key, id, "yes")).status).toBe(200);
  expect((await correct(tests.admin, id, "no")).status).toBe(200);
  await resolve(supervisor, (await dispute(id)).body.id, { decision: "changed" });
  for (const author of [tests.admin, key]) {
    expect(await correct(author, id, "no")).toMatchObject(refused);
    expect(await author.ask("POST", `/reviews/${id}/void`, { reason })).toMatchObject(refused);
  }
  expect((await tests.admin.ask("GET", `/reviews/${id}`)).body).toMatchObject({ score: 10_000, actions: ["correct"] });
  expect((await correct(supervisor, id, "no")).status).toBe(200);
  expect((await correct(tests.admin, id, "yes")).status).toBe(200);
});

test("a correction that lowers the score gives the agent time to object again, however often they have objected", async () => {
  const { id } = await released();
  for (let level = 1; level <= 2; level++) {
    const opened = (await dispute(id)).body;
    expect(opened.level).toBe(level);
    const decision = level === 1 ? "upheld" : "changed";
    expect((await resolve(level === 1 ? supervisor : tests.admin, opened.id, { decision })).status).toBe(200);
  }
  const end = (at: string) => admin.query("update review set disputable_until = $2 where id = $1", [id, at]);
  await end("2026-01-01");
  expect(await dispute(id)).toMatchObject({ status: 409, body: { code: "not_disputable" } });
  expect((await correct(supervisor, id, "no")).status).toBe(200);
  const lowered = (await agent.ask("GET", `/reviews/${id}`)).body;
  expect(lowered.actions).toContain("dispute");
  expect(Date.parse(lowered.disputable_until)).toBeGreaterThan(Date.now());
  const again = await dispute(id);
  expect(again).toMatchObject({ status: 201, body: { level: 1 } });
  expect([supervisor.id, tests.admin.id]).not.toContain(again.body.arbiter_id);
  await end("2026-01-01");
  expect((await correct(supervisor, id, "yes")).status).toBe(200);
  expect((await agent.ask("GET", `/reviews/${id}`)).body.disputable_until).toBe("2026-01-01T00:00:00.000Z");
});

test("a key counts as the user who made it, also when another of their keys made it", async () => {
  const lead = await openPerson(service, "admin");
  const key = await keyOf(lead);
  const made = (await key.ask("POST", "/keys", { name: "of a key", scopes: ["review"] })).body;
  expect(made.created_by).toBe(lead.id);
  const second = openJsonClient(service, made.key);
  const { id } = await released({}, lead);
  const opened = (await dispute(id)).body;
  const items = [{ question_id: "greeting", decision: "changed", explanation: reason }];
  expect(await second("POST", `/disputes/${opened.id}/resolve`, { items })).toMatchObject(refused);
  expect(await second("POST", `/reviews/${id}/void`, { reason })).toMatchObject(refused);
  const byKey = await released({}, { ...key, email: lead.email } as typeof agent);
  const disputed = (await dispute(byKey.id)).body;
  expect(disputed.arbiter_id).not.toBe(lead.id);
  expect(await resolve(lead, disputed.id, { decision: "changed" })).toMatchObject(refused);
});
