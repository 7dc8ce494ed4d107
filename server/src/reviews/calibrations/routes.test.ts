import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openJsonClient } from "../../testing/json-client.ts";
import { aScorecard, openPerson, openReviewTests, type Person } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";

const service = await openTestApp();
const { admin } = service;
const tests = await openReviewTests(service);
const { agent, reviewer, supervisor, publish, importOf } = tests;
const other = await openPerson(service, "reviewer");
const outsider = await openPerson(service, "reviewer");
const reviewKey = openJsonClient(service, await service.key("review"));
const readKey = openJsonClient(service, await service.key("read"));
const manage = openJsonClient(service, await service.key("manage"));

/** Releases at once, so that a review that counted would reach the agent. */
const scorecardId = await publish({ ...aScorecard, release: "on_submit" });

async function createSession(input: Record<string, unknown> = {}) {
  const calls = (input.call_ids as string[] | undefined) ?? [(await importOf()).id, (await importOf()).id];
  const { status, body } = await supervisor.ask("POST", "/calibrations", {
    name: "November",
    scorecard_id: scorecardId,
    call_ids: calls,
    participant_ids: [reviewer.id, other.id, supervisor.id],
    ...input,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: body.id as string, calls, body };
}

const start = (by: Person, calibrationId: string, callId: string) =>
  by.ask("POST", "/reviews", { call_id: callId, calibration_id: calibrationId });

async function score(by: Person, calibrationId: string, callId: string, answers: Record<string, object> = {}) {
  const { body: draft } = await start(by, calibrationId, callId);
  let { number } = draft;
  for (const [question, answer] of Object.entries({
    greeting: { value: "yes" },
    identity: { value: "full" },
    ...answers,
  })) {
    const saved = await by.ask("PUT", `/reviews/${draft.id}/answers/${question}`, answer, number);
    if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
    number = saved.body.number;
  }
  const sent = await by.ask("POST", `/reviews/${draft.id}/submit`, undefined, number);
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  return sent.body;
}

test("a session from its creation to a decision in the draft of the scorecard", async () => {
  const own = await publish({ ...aScorecard, release: "on_submit" });
  const { id, calls, body } = await createSession({ scorecard_id: own, expert_id: supervisor.id });
  const [first = "", second = ""] = calls;
  expect(body).toMatchObject({
    name: "November",
    scorecard: { id: own, version: 1, name: "Support call" },
    state: "open",
    calls: 2,
    participants: 3,
    submitted: 0,
    expert_id: supervisor.id,
    call_list: [
      { call_id: first, erased: false, review: null },
      { call_id: second, erased: false, review: null },
    ],
  });
  // A version that is published later does not change the session.
  const draft = { ...aScorecard, name: "Support call 2" };
  await supervisor.ask("PUT", `/scorecards/${own}/draft`, { document: draft });
  expect((await supervisor.ask("POST", `/scorecards/${own}/publish`)).status).toBe(201);

  const mine = await score(reviewer, id, first, { greeting: { value: "no", comment: "Only the company." } });
  expect(mine).toMatchObject({
    selection: "calibration",
    calibration_id: id,
    state: "submitted",
    released_at: null,
    scorecard: { version: 1 },
    score: 6000,
    actions: ["reopen"],
  });
  await score(other, id, first, { greeting: { not_applicable: true } });
  await score(supervisor, id, first);
  const again = await start(reviewer, id, first);
  expect(again).toMatchObject({ status: 200, body: { id: mine.id, state: "submitted" } });
  const progress = (await reviewer.ask("GET", `/calibrations/${id}`)).body;
  expect(progress).toMatchObject({ submitted: 3, call_list: [{ review: { id: mine.id } }, { review: null }] });
  expect(progress.progress).toContainEqual({ user_id: other.id, submitted: 1 });
  expect(JSON.stringify(progress)).not.toContain('score":');

  for (const path of ["results", "answers/greeting"])
    expect(await supervisor.ask("GET", `/calibrations/${id}/${path}`)).toMatchObject({
      status: 409,
      body: { code: "calibration_open" },
    });
  expect(await supervisor.ask("PUT", `/calibrations/${id}/decisions/greeting`, { text: "T" })).toMatchObject({
    status: 409,
    body: { code: "calibration_open" },
  });

  const unsent = (await start(other, id, second)).body;
  const closed = await supervisor.ask("POST", `/calibrations/${id}/close`);
  expect(closed).toMatchObject({ status: 200, body: { state: "closed", closed_at: expect.any(String) } });
  const repeated = await supervisor.ask("POST", `/calibrations/${id}/close`);
  expect(repeated.body.closed_at).toBe(closed.body.closed_at);
  const { rows } = await admin.query("select data from event where type = 'calibration.closed'");
  expect(rows).toEqual([{ data: { calibration_id: id, scorecard_id: own, version: 1 } }]);

  const results = (await other.ask("GET", `/calibrations/${id}/results`)).body;
  expect(results).toMatchObject({
    reference: "expert",
    icc: null,
    no_icc: { reason: "missing_scores", call_id: null },
    calls: [
      { call_id: first, reference_score: 10_000 },
      { call_id: second, reference_score: null, scores: [] },
    ],
  });
  const people = new Map(results.participants.map((one: { user_id: string }) => [one.user_id, one]));
  expect(people.get(reviewer.id)).toEqual({ user_id: reviewer.id, calls: 1, distance: 4000, bias: -4000 });
  expect(people.get(supervisor.id)).toEqual({ user_id: supervisor.id, calls: 0, distance: null, bias: null });
  expect(results.questions).toMatchObject([
    {
      question_id: "greeting",
      applicability: { calls: 1, too_few: true, raw: { value: 1 / 3 } },
      answer: { calls: 1, raw: { value: 0 } },
      decision: null,
    },
    { question_id: "identity", applicability: null, answer: { raw: { value: 1 }, alpha: { value: null } } },
  ]);
  const answers = (await reviewer.ask("GET", `/calibrations/${id}/answers/greeting`)).body;
  expect(answers.calls[0].answers).toHaveLength(3);
  expect(answers.calls[0].answers).toContainEqual({
    user_id: reviewer.id,
    review_id: mine.id,
    answer: { value: "no", comment: "Only the company." },
  });
  expect(await reviewer.ask("GET", `/calibrations/${id}/answers/unknown`)).toMatchObject({
    status: 404,
    body: { code: "calibration_not_found" },
  });

  // What was not sent in time stays a draft.
  let { number } = unsent;
  for (const [question, value] of [
    ["greeting", "yes"],
    ["identity", "full"],
  ])
    number = (await other.ask("PUT", `/reviews/${unsent.id}/answers/${question}`, { value }, number)).body.number;
  expect(await other.ask("POST", `/reviews/${unsent.id}/submit`, undefined, number)).toMatchObject({
    status: 409,
    body: { code: "calibration_closed" },
  });
  expect((await other.ask("GET", `/reviews/${unsent.id}`)).body).toMatchObject({
    state: "draft",
    actions: ["answer", "discard"],
  });
  for (const refused of [await start(reviewer, id, second), await reviewer.ask("POST", `/reviews/${mine.id}/reopen`)])
    expect(refused).toMatchObject({ status: 409, body: { code: "calibration_closed" } });
  expect(await supervisor.ask("PATCH", `/calibrations/${id}`, { name: "X" })).toMatchObject({
    status: 409,
    body: { code: "calibration_closed" },
  });

  const decide = (text: string, apply?: boolean, question = "greeting") =>
    supervisor.ask("PUT", `/calibrations/${id}/decisions/${question}`, { text, ...(apply && { apply }) });
  expect(await decide("Company and name.")).toMatchObject({
    status: 200,
    body: { applied: null, decision: { text: "Company and name.", decided_by: { id: supervisor.id } } },
  });
  expect((await decide("Company and name.", true)).body.applied).toBe("added");
  expect((await decide("Company and name.", true)).body.applied).toBe("already_there");
  const day = closed.body.closed_at.slice(0, 10);
  const guidance = async () =>
    (await supervisor.ask("GET", `/scorecards/${own}`)).body.draft.document.sections[0].questions[0].guidance;
  expect(await guidance()).toBe(`${day}: Company and name.`);
  expect((await decide("Either order.", true)).body.applied).toBe("added");
  expect(await guidance()).toBe(`${day}: Company and name.\n\n${day}: Either order.`);
  await decide("x".repeat(1990), true);
  await decide("y".repeat(1990), true);
  expect((await decide("z".repeat(1990), true)).body.applied).toBe("too_long");
  await supervisor.ask("PUT", `/scorecards/${own}/draft`, { document: { ...draft, sections: [] } });
  expect((await decide("Gone.", true)).body).toMatchObject({
    applied: "question_missing",
    decision: { text: "Gone." },
  });
  expect((await decide("")).body).toEqual({ decision: null, applied: null });
  expect(await reviewer.ask("PUT", `/calibrations/${id}/decisions/greeting`, { text: "T" })).toMatchObject({
    status: 403,
  });
  const { rows: entries } = await admin.query(
    "select distinct action from audit_entry where subject_id = $1 order by action",
    [id],
  );
  expect(entries.map(({ action }) => action)).toEqual([
    "calibration.closed",
    "calibration.created",
    "calibration.decided",
  ]);
});

test("while a session is open, nobody sees the reviews of others through any route", async () => {
  const { id, calls } = await createSession();
  const [callId = ""] = calls;
  const failing = { identity: { value: "no", comment: "None." } };
  const hidden = await score(reviewer, id, callId, failing);
  await score(other, id, callId);
  const admins = tests.admin;
  const people = { agent, other, outsider, supervisor, admin: admins };
  for (const [name, person] of Object.entries(people)) {
    expect((await person.ask("GET", `/reviews/${hidden.id}`)).status, name).toBe(404);
    const list = await person.ask("GET", `/reviews?call_id=${callId}`);
    expect(JSON.stringify(list.body), name).not.toContain(hidden.id);
  }
  for (const [name, key] of Object.entries({ reviewKey, readKey })) {
    expect((await key("GET", `/reviews/${hidden.id}`)).status, name).toBe(404);
    for (const query of [
      `call_id=${callId}`,
      `reviewer_id=${reviewer.id}`,
      `scorecard_id=${scorecardId}`,
      "outcome=failed",
    ])
      expect(JSON.stringify((await key("GET", `/reviews?${query}`)).body), `${name} ${query}`).not.toContain(hidden.id);
  }
  for (const rows of ["reviews", "answers"]) {
    const exported = await admins.ask("GET", `/reviews/export?format=jsonl&rows=${rows}`);
    expect(exported.status).toBe(200);
    expect(exported.body).not.toContain(hidden.id);
  }
  for (const filter of ["review_outcome=failed", "max_score=50", "reviewed=true", `reviewer=${reviewer.id}`]) {
    const found = await supervisor.ask("GET", `/calls?${filter}&limit=100`);
    expect(found.status, filter).toBe(200);
    expect(JSON.stringify(found.body), filter).not.toContain(callId);
  }
  const unreviewed = (await supervisor.ask("GET", "/calls?reviewed=false&limit=100")).body.calls;
  expect(unreviewed.find((call: { id: string }) => call.id === callId)).toMatchObject({ review: null });
  for (const [action, body] of [
    ["void", { reason: "R" }],
    ["correct", { answers: {}, reason: "R" }],
    ["release", undefined],
    ["reopen", undefined],
  ] as const)
    expect((await supervisor.ask("POST", `/reviews/${hidden.id}/${action}`, body)).status, action).toBe(404);
  expect((await supervisor.ask("POST", "/reviews/release", { ids: [hidden.id] })).body).toEqual({
    released: [],
    skipped: [hidden.id],
  });
  // An ordinary review of the call stays hidden from a participant, too: their own of the session does not open it.
  const ordinary = await tests.submitted({}, admins, callId);
  expect((await reviewer.ask("GET", `/reviews/${ordinary.id}`)).status).toBe(404);
  expect((await reviewer.ask("GET", `/reviews/${hidden.id}`)).status).toBe(200);

  await supervisor.ask("POST", `/calibrations/${id}/close`);
  expect((await supervisor.ask("GET", `/reviews/${hidden.id}`)).body).toMatchObject({ score: 0, actions: ["void"] });
  expect((await other.ask("GET", `/reviews/${hidden.id}`)).status).toBe(200);
  expect((await readKey("GET", `/reviews/${hidden.id}`)).status).toBe(200);
  expect((await agent.ask("GET", `/reviews/${hidden.id}`)).status).toBe(404);
  expect((await outsider.ask("GET", `/reviews/${hidden.id}`)).status).toBe(404);
  const found = await supervisor.ask("GET", "/calls?review_outcome=failed&limit=100");
  expect(JSON.stringify(found.body)).not.toContain(hidden.id);
  expect((await supervisor.ask("POST", `/reviews/${hidden.id}/void`, { reason: "R" })).body.state).toBe("voided");
  expect((await supervisor.ask("GET", `/calibrations/${id}/results`)).body.calls[0].scores).toHaveLength(1);
});

test.each(["calibration", "second"])(
  "a %s review never reaches the agent and never waits for release",
  async (selection) => {
    const counts = async () => (await supervisor.ask("GET", "/reviews/waiting")).body.to_release;
    const before = await counts();
    const emails = async () =>
      (await admin.query("select coalesce(sum(released), 0)::int as sum from review_email")).rows[0].sum;
    const counted = await emails();
    let id: string;
    if (selection === "calibration") {
      const session = await createSession();
      id = (await score(reviewer, session.id, session.calls[0] ?? "")).id;
      await supervisor.ask("POST", `/calibrations/${session.id}/close`);
    } else {
      const { body: draft } = await tests.start(reviewer, undefined, scorecardId);
      id = draft.id;
      await admin.query("update review set selection = 'second' where id = $1", [id]);
      await reviewer.ask("PUT", `/reviews/${id}/answers/greeting`, { value: "yes" }, 1);
      await reviewer.ask("PUT", `/reviews/${id}/answers/identity`, { value: "full" }, 2);
      expect((await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, 3)).body).toMatchObject({
        state: "submitted",
        actions: [],
      });
      expect(await reviewer.ask("POST", `/reviews/${id}/reopen`)).toMatchObject({
        status: 409,
        body: { code: "review_not_counted" },
      });
    }
    const path = `/reviews/${id}`;
    expect((await supervisor.ask("GET", path)).body).toMatchObject({ state: "submitted", actions: ["void"] });
    for (const [action, body] of [
      ["release", undefined],
      ["correct", { answers: { greeting: { value: "no" } }, reason: "R" }],
    ] as const)
      expect(await supervisor.ask("POST", `${path}/${action}`, body)).toMatchObject({
        status: 409,
        body: { code: "review_not_counted" },
      });
    expect((await supervisor.ask("POST", "/reviews/release", { ids: [id] })).body).toEqual({
      released: [],
      skipped: [id],
    });
    expect(await counts()).toBe(before);
    expect(await emails()).toBe(counted);
    expect(JSON.stringify((await supervisor.ask("GET", "/reviews?state=submitted")).body)).not.toContain(id);
    expect((await agent.ask("GET", path)).status).toBe(404);
    expect((await agent.ask("POST", `${path}/acknowledge`, {})).status).toBe(404);
    const items = [{ question_id: "greeting", proposed: { value: "yes" }, reason: "R" }];
    expect((await agent.ask("POST", `${path}/disputes`, { items })).status).toBe(404);
    await expect(admin.query("update review set released_at = now() where id = $1", [id])).rejects.toThrow(
      /review_released_selection/,
    );
    expect((await supervisor.ask("POST", `${path}/void`, { reason: "R" })).body.state).toBe("voided");
  },
);

test("only participants score, only calls of the session, even if reviewers cannot pick calls", async () => {
  const { id, calls } = await createSession();
  const [callId = ""] = calls;
  await manage("PATCH", "/workspace", { settings: { reviewers_pick_calls: false } });
  expect((await start(reviewer, id, callId)).status).toBe(201);
  expect((await tests.start(reviewer)).body.code).toBe("picking_off");
  await manage("PATCH", "/workspace", { settings: { reviewers_pick_calls: true } });
  expect((await start(outsider, id, callId)).body.code).toBe("calibration_not_found");
  expect((await start(tests.admin, id, callId)).body.code).toBe("not_participant");
  expect((await reviewKey("POST", "/reviews", { call_id: callId, calibration_id: id })).body.code).toBe(
    "not_participant",
  );
  expect((await start(reviewer, id, (await importOf()).id)).status).toBe(422);
  const both = { call_id: callId, calibration_id: id, scorecard_id: tests.scorecardId };
  expect((await reviewer.ask("POST", "/reviews", both)).status).toBe(422);
  expect((await reviewer.ask("POST", "/reviews", { call_id: callId })).body.code).toBe("member_missing");
  // A draft outside of the session and one inside of it are not mixed up.
  expect((await tests.start(reviewer, callId, scorecardId)).body.code).toBe("draft_exists");
  await tests.start(other, callId, scorecardId);
  expect((await start(other, id, callId)).body.code).toBe("draft_exists");
  expect((await outsider.ask("GET", `/calibrations/${id}`)).status).toBe(404);
  const lists = await Promise.all(
    [outsider, reviewer, supervisor].map((one) => one.ask("GET", "/calibrations?limit=200")),
  );
  expect(lists.map(({ body }) => JSON.stringify(body).includes(id))).toEqual([false, true, true]);
  expect((await agent.ask("GET", "/calibrations")).status).toBe(403);
});

test("a session needs reviewers and calls that exist, and nobody judges their own call", async () => {
  const callId = (await importOf()).id;
  const create = (input: object) =>
    supervisor.ask("POST", "/calibrations", {
      name: "N",
      scorecard_id: scorecardId,
      call_ids: [callId],
      participant_ids: [reviewer.id, other.id],
      ...input,
    });
  for (const wrong of [
    { call_ids: [] },
    { call_ids: [callId, callId] },
    { call_ids: [reviewer.id] },
    { participant_ids: [reviewer.id] },
    { participant_ids: [reviewer.id, agent.id] },
    { participant_ids: [reviewer.id, callId] },
    { expert_id: supervisor.id },
    { name: " " },
  ])
    expect((await create(wrong)).status, JSON.stringify(wrong)).toBe(422);
  const both = await openPerson(service, "agent");
  const ownCall = (await importOf(both)).id;
  await manage("PATCH", `/users/${both.id}`, { role: "reviewer", name: "Ada Both" });
  const refused = await create({ call_ids: [callId, ownCall], participant_ids: [reviewer.id, both.id] });
  expect(refused).toMatchObject({ status: 409, body: { code: "own_call" } });
  expect(refused.body.detail).toContain("Ada Both");
  expect((await create({})).status).toBe(201);
  expect((await reviewer.ask("POST", "/calibrations", {})).status).toBe(403);
});

test("supervisors who change a session at the same time keep each other's calls and participants", async () => {
  const { id, calls } = await createSession();
  const people = [await openPerson(service, "reviewer"), await openPerson(service, "reviewer")];
  const more = [await importOf(), await importOf(), await importOf()].map((call) => call.id);
  const changes = [
    ...more.map((callId) => ({ add_call_ids: [callId] })),
    ...people.map((person) => ({ add_participant_ids: [person.id] })),
    { remove_call_ids: [calls[0]] },
  ];
  const answers = await Promise.all(changes.map((body) => supervisor.ask("PATCH", `/calibrations/${id}`, body)));
  expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
  const { body } = await supervisor.ask("GET", `/calibrations/${id}`);
  const ids = body.call_list.map((call: { call_id: string }) => call.call_id);
  expect(ids.toSorted()).toEqual([calls[1], ...more].toSorted());
  expect(body.participants).toBe(5);
});

test("a change leaves enough calls and participants, and not too many", async () => {
  const { id, calls } = await createSession();
  const change = async (body: object) => (await supervisor.ask("PATCH", `/calibrations/${id}`, body)).body.errors?.[0];
  expect(await change({ remove_call_ids: calls })).toMatchObject({ part: "remove_call_ids", code: "too_short" });
  const removed = { remove_participant_ids: [reviewer.id, other.id] };
  expect(await change(removed)).toMatchObject({ part: "remove_participant_ids", code: "too_short" });
  const many = await Promise.all(Array.from({ length: 49 }, async () => (await importOf()).id));
  expect(await change({ add_call_ids: many })).toMatchObject({ part: "add_call_ids", code: "too_long" });
  const unknown = randomUUID();
  expect(await change({ add_call_ids: [unknown] })).toMatchObject({ part: "add_call_ids", code: "not_found" });
  expect(await change({ add_participant_ids: [unknown] })).toMatchObject({ part: "add_participant_ids" });
});

test("calls and participants change freely until the first submission, then they are only added", async () => {
  const { id, calls } = await createSession();
  const [first = "", second = ""] = calls;
  const change = (body: object) => supervisor.ask("PATCH", `/calibrations/${id}`, body);
  const draft = (await start(other, id, second)).body;
  const third = (await importOf()).id;
  expect(
    (await change({ add_call_ids: [third], remove_call_ids: [second], name: "December", expert_id: other.id })).body,
  ).toMatchObject({
    name: "December",
    expert_id: other.id,
    call_list: [{ call_id: first }, { call_id: third }],
  });
  // Its draft went with the call.
  expect((await other.ask("GET", `/reviews/${draft.id}`)).status).toBe(404);
  expect((await change({ remove_participant_ids: [other.id] })).status).toBe(422);
  const fewer = await change({ remove_participant_ids: [other.id], expert_id: null });
  expect(fewer.body.progress.map((one: { user_id: string }) => one.user_id)).toEqual(
    [reviewer.id, supervisor.id].sort(),
  );
  await score(reviewer, id, first);
  for (const body of [
    { remove_call_ids: [third] },
    { remove_participant_ids: [reviewer.id], add_participant_ids: [other.id] },
  ])
    expect(await change(body)).toMatchObject({ status: 409, body: { code: "calibration_started" } });
  expect((await change({ add_call_ids: [second] })).body.call_list).toMatchObject(
    [first, third, second].map((call_id) => ({ call_id })),
  );
  expect((await change({ add_participant_ids: [other.id] })).body.participants).toBe(3);
  expect(await supervisor.ask("DELETE", `/calibrations/${id}`)).toMatchObject({
    status: 409,
    body: { code: "calibration_started" },
  });
  const unused = await createSession();
  const abandoned = (await start(other, unused.id, unused.calls[0] ?? "")).body;
  expect((await supervisor.ask("DELETE", `/calibrations/${unused.id}`)).status).toBe(204);
  expect((await supervisor.ask("GET", `/calibrations/${unused.id}`)).status).toBe(404);
  expect((await other.ask("GET", `/reviews/${abandoned.id}`)).status).toBe(404);
});

test("a session without an expert compares with the median", async () => {
  const { id, calls } = await createSession();
  const scores = [
    [reviewer, "yes", "full"],
    [other, "no", "full"],
    [supervisor, "no", "partly"],
  ] as const;
  for (const [at, callId] of calls.entries())
    for (const [person, greeting, identity] of scores)
      await score(person, id, callId, {
        greeting: { value: at === 0 ? "yes" : greeting },
        identity: { value: identity, comment: "C" },
      });
  await supervisor.ask("POST", `/calibrations/${id}/close`);
  const { body } = await supervisor.ask("GET", `/calibrations/${id}/results`);
  // Scores: 100, 100, 70 and 100, 60, 30.
  expect(body).toMatchObject({ reference: "median", calls: [{ reference_score: 10_000 }, { reference_score: 6000 }] });
  expect(body.participants).toContainEqual({ user_id: reviewer.id, calls: 2, distance: 2000, bias: 2000 });
  expect(body.participants).toContainEqual({ user_id: supervisor.id, calls: 2, distance: 3000, bias: -3000 });
  expect(body).toMatchObject({ icc: null, no_icc: { reason: "too_few_calls", call_id: null } });
});

test("a participant who is deactivated leaves open sessions, unless they have submitted", async () => {
  const [leaving, staying] = [await openPerson(service, "reviewer"), await openPerson(service, "reviewer")];
  const participants = [leaving.id, staying.id, reviewer.id];
  const { id, calls } = await createSession({ participant_ids: participants, expert_id: leaving.id });
  await score(staying, id, calls[0] ?? "");
  for (const person of [leaving, staying]) await manage("PATCH", `/users/${person.id}`, { deactivated: true });
  const { body } = await supervisor.ask("GET", `/calibrations/${id}`);
  expect(body.expert_id).toBeNull();
  expect(body.progress.map((one: { user_id: string }) => one.user_id)).toEqual([staying.id, reviewer.id].sort());
});

test("erasing a call keeps the answers of its session and takes the call out of its progress", async () => {
  const { id, calls } = await createSession();
  const [first = "", second = ""] = calls;
  await score(reviewer, id, first, { greeting: { value: "no", comment: "secret" } });
  await start(other, id, second);
  for (const callId of calls) expect((await manage("DELETE", `/calls/${callId}`)).status).toBe(204);
  expect((await supervisor.ask("GET", `/calibrations/${id}`)).body).toMatchObject({
    calls: 0,
    submitted: 0,
    call_list: [{ erased: true }, { erased: true }],
  });
  expect((await start(other, id, second)).status).toBe(404);
  await supervisor.ask("POST", `/calibrations/${id}/close`);
  const { body } = await supervisor.ask("GET", `/calibrations/${id}/answers/greeting`);
  expect(body.calls[0].answers[0].answer).toEqual({ value: "no" });
});

test("submitting and closing at the same time never deadlocks, and nothing is submitted after the close", async () => {
  for (let round = 0; round < 4; round++) {
    const { id, calls } = await createSession();
    const [callId = ""] = calls;
    const drafts = await Promise.all(
      [reviewer, other, supervisor].map(async (person) => {
        const { body } = await start(person, id, callId);
        await person.ask("PUT", `/reviews/${body.id}/answers/greeting`, { value: "yes" }, 1);
        await person.ask("PUT", `/reviews/${body.id}/answers/identity`, { value: "full" }, 2);
        return { person, id: body.id as string };
      }),
    );
    const [closed, ...sent] = await Promise.all([
      supervisor.ask("POST", `/calibrations/${id}/close`),
      ...drafts.map((draft) => draft.person.ask("POST", `/reviews/${draft.id}/submit`, undefined, 3)),
    ]);
    expect(closed?.status).toBe(200);
    expect(sent.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const results = (await supervisor.ask("GET", `/calibrations/${id}/results`)).body;
    expect(results.calls[0].scores).toHaveLength(sent.filter(({ status }) => status === 200).length);
  }
});
