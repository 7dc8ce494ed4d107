import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../testing/json-client.ts";
import { aScorecard, openPerson, openReviewTests } from "../testing/reviews.ts";
import { openTestApp } from "../testing/test-app.ts";

const service = await openTestApp();
const { admin, campaignId } = service;
const { agent, reviewer, supervisor, scorecardId, publish, importOf, start, answered, submitted, released } =
  await openReviewTests(service);

test("a review from its first answer to its acknowledgement", async () => {
  const { body: draft, status } = await start();
  expect(status).toBe(201);
  expect(draft).toMatchObject({
    state: "draft",
    number: 1,
    revision: 0,
    score: null,
    selection: "picked",
    agent_id: agent.id,
    campaign_id: campaignId,
    scorecard: { id: scorecardId, version: 1, name: "Support call" },
    reviewer: { type: "user", id: reviewer.id },
    answers: {},
    result: null,
    actions: ["answer", "submit", "discard"],
  });
  const path = `/reviews/${draft.id}`;
  const greeting = { value: "no", comment: "Only the company.", moments: [{ start_ms: 1000, end_ms: 4000 }] };
  expect(await reviewer.ask("PUT", `${path}/answers/greeting`, greeting, 1)).toEqual({
    status: 200,
    body: { number: 2 },
  });
  expect((await reviewer.ask("PUT", `${path}/answers/identity`, { value: "full" }, 2)).body).toEqual({ number: 3 });
  const comment = { comment: "Friendly.", active_ms: 95_000 };
  expect((await reviewer.ask("PATCH", path, comment, 3)).body).toEqual({ number: 4 });

  const sent = await reviewer.ask("POST", `${path}/submit`, undefined, 4);
  expect(sent).toMatchObject({
    status: 200,
    body: {
      state: "submitted",
      revision: 1,
      score: 6000,
      outcome: "failed",
      active_ms: 95_000,
      comment: "Friendly.",
      answers: { greeting, identity: { value: "full" } },
      result: {
        score: 6000,
        scorecard: { id: scorecardId, version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
      revisions: [{ number: 1, cause: "submitted", score: 6000, changed: [], author: { id: reviewer.id } }],
      actions: ["reopen"],
    },
  });
  expect((await agent.ask("GET", path)).status).toBe(404);

  const shown = await supervisor.ask("POST", `${path}/release`);
  expect(shown.body).toMatchObject({ state: "released", actions: ["correct", "void"] });
  const days = (Date.parse(shown.body.disputable_until) - Date.parse(shown.body.released_at)) / 86_400_000;
  expect(days).toBeCloseTo(14, 1);
  expect((await agent.ask("GET", path)).body).toMatchObject({
    answers: { greeting },
    actions: ["acknowledge", "dispute"],
  });

  const read = await agent.ask("POST", `${path}/acknowledge`, { note: "Thank you." });
  expect(read.body).toMatchObject({ acknowledgement: "Thank you.", actions: ["dispute"] });
  const again = await agent.ask("POST", `${path}/acknowledge`, { note: "Other" });
  expect(again.body).toMatchObject({ acknowledgement: "Thank you.", acknowledged_at: read.body.acknowledged_at });
});

test("a scorecard can release at once", async () => {
  const atOnce = await publish({ ...aScorecard, release: "on_submit", dispute_days: 0 });
  const { id, call_id } = (await start(reviewer, undefined, atOnce)).body;
  await reviewer.ask("PUT", `/reviews/${id}/answers/greeting`, { not_applicable: true }, 1);
  await reviewer.ask("PUT", `/reviews/${id}/answers/identity`, { value: "full" }, 2);
  const { body } = await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, 3);
  expect(body).toMatchObject({ state: "released", score: 10_000, outcome: "passed", disputable_until: null });
  const { rows } = await admin.query("select type from event where data ->> 'call_id' = $1 order by xid, seq", [
    call_id,
  ]);
  expect(rows.map(({ type }) => type).filter((type) => type.startsWith("review"))).toEqual([
    "review.submitted",
    "review.released",
  ]);
});

test("starting again returns the draft; two at once make one", async () => {
  const call = await importOf();
  const answers = await Promise.all([1, 2, 3, 4].map(() => start(reviewer, call.id)));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
});

test("an answer from an old state is refused with the current one", async () => {
  const { id } = (await start()).body;
  const path = `/reviews/${id}/answers/greeting`;
  await reviewer.ask("PUT", path, { value: "yes" }, 1);
  const late = await reviewer.ask("PUT", path, { value: "no" }, 1);
  expect(late).toMatchObject({
    status: 412,
    body: { code: "review_changed", review: { number: 2, answers: { greeting: { value: "yes" } } } },
  });
  // Its response was lost, and the client repeats it.
  expect(await reviewer.ask("PUT", path, { value: "yes" }, 1)).toMatchObject({ status: 200, body: { number: 2 } });
  expect(await reviewer.ask("PUT", path, { value: "no" })).toMatchObject({
    status: 428,
    body: { code: "if_match_missing" },
  });
  expect(await reviewer.ask("PATCH", `/reviews/${id}`, { comment: "C" })).toMatchObject({ status: 428 });
  expect(await reviewer.ask("PATCH", `/reviews/${id}`, { active_ms: 10 })).toMatchObject({
    status: 200,
    body: { number: 2 },
  });
  expect(await reviewer.ask("PUT", path, {}, 2)).toMatchObject({ status: 200, body: { number: 3 } });
  expect((await reviewer.ask("GET", `/reviews/${id}`)).body.answers).toEqual({});
});

test("answers must fit their question", async () => {
  const { id } = (await start()).body;
  const save = (question: string, answer: object) =>
    reviewer.ask("PUT", `/reviews/${id}/answers/${question}`, answer, 1);
  expect(await save("greeting", { value: "maybe" })).toMatchObject({ status: 422, body: { code: "answer_invalid" } });
  expect(await save("unknown", { value: "yes" })).toMatchObject({ status: 422, body: { code: "answer_invalid" } });
  expect(await save("identity", { not_applicable: true })).toMatchObject({ status: 422 });
  expect(await save("greeting", { value: "yes", comment: "a\0b" })).toMatchObject({ status: 422 });
  expect(await save("greeting", { value: "yes", more: 1 })).toMatchObject({ status: 422 });
});

test("an incomplete review is not submitted; the answer names what is missing", async () => {
  const { id, number } = await answered({ identity: { value: "partly" } });
  expect(await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, number)).toMatchObject({
    status: 422,
    body: { code: "review_incomplete", errors: [{ part: "identity", code: "comment_required" }] },
  });
});

test("a repeated submission returns the review; a later change is refused", async () => {
  const { id, number } = await answered();
  const once = await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, number);
  const twice = await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, number);
  expect([once.status, twice.status, twice.body.revision]).toEqual([200, 200, 1]);
  expect(await reviewer.ask("PUT", `/reviews/${id}/answers/greeting`, { value: "yes" }, number + 1)).toMatchObject({
    status: 409,
    body: { code: "review_state_wrong" },
  });
});

test("reopening keeps the first revision; submitting adds the next", async () => {
  const { id } = await submitted();
  const reopened = await reviewer.ask("POST", `/reviews/${id}/reopen`);
  expect(reopened.body).toMatchObject({ state: "draft", score: null, answers: { greeting: { value: "no" } } });
  expect(await reviewer.ask("DELETE", `/reviews/${id}`)).toMatchObject({
    status: 409,
    body: { code: "reopened_draft" },
  });
  const { number } = (
    await reviewer.ask("PUT", `/reviews/${id}/answers/greeting`, { value: "yes" }, reopened.body.number)
  ).body;
  const { body } = await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, number);
  expect(body).toMatchObject({
    score: 10_000,
    revisions: [
      {
        number: 2,
        score: 10_000,
        changed: [{ question_id: "greeting", before: { value: "no" }, after: { value: "yes" } }],
      },
      { number: 1, score: 6000 },
    ],
  });
  await supervisor.ask("POST", `/reviews/${id}/release`);
  expect(await reviewer.ask("POST", `/reviews/${id}/reopen`)).toMatchObject({ status: 409 });
});

test("a draft is discarded by its reviewer only", async () => {
  const { id } = (await start()).body;
  expect(await supervisor.ask("DELETE", `/reviews/${id}`)).toMatchObject({
    status: 403,
    body: { code: "not_your_review" },
  });
  expect((await reviewer.ask("DELETE", `/reviews/${id}`)).status).toBe(204);
  expect((await reviewer.ask("GET", `/reviews/${id}`)).status).toBe(404);
});

test("a supervisor corrects with a reason; old scores stay visible to the agent", async () => {
  const { id } = await released();
  const correction = { answers: { greeting: { value: "yes" } }, reason: "It was at 0:04." };
  const { body } = await supervisor.ask("POST", `/reviews/${id}/correct`, correction);
  expect(body).toMatchObject({ score: 10_000, outcome: "passed", revision: 2 });
  expect((await agent.ask("GET", `/reviews/${id}`)).body.revisions).toMatchObject([
    {
      number: 2,
      cause: "corrected",
      reason: "It was at 0:04.",
      score: 10_000,
      changed: [{ question_id: "greeting", before: { value: "no" }, after: { value: "yes" } }],
    },
    { number: 1, cause: "submitted", score: 6000 },
  ]);
  expect(await supervisor.ask("POST", `/reviews/${id}/correct`, correction)).toMatchObject({
    status: 409,
    body: { code: "nothing_corrected" },
  });
});

test("a voided review stays visible with its reason and cannot change", async () => {
  const { id } = await released();
  expect((await supervisor.ask("POST", `/reviews/${id}/void`, { reason: "  " })).status).toBe(422);
  const voided = await supervisor.ask("POST", `/reviews/${id}/void`, { reason: "Another agent." });
  expect(voided.body).toMatchObject({
    state: "voided",
    voided: { reason: "Another agent.", by: { id: supervisor.id } },
  });
  expect((await agent.ask("GET", `/reviews/${id}`)).body).toMatchObject({ state: "voided", actions: [] });
  expect((await agent.ask("POST", `/reviews/${id}/acknowledge`)).status).toBe(409);
  expect((await supervisor.ask("POST", `/reviews/${id}/void`, { reason: "R" })).status).toBe(409);
});

test("many reviews are released at a time; the others are skipped", async () => {
  const [first, second] = [await submitted(), await released()];
  const unknown = "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d";
  const { body } = await supervisor.ask("POST", "/reviews/release", { ids: [first.id, second.id, unknown, first.id] });
  expect(body).toEqual({ released: [first.id], skipped: [second.id, unknown] });
});

test("reviewers see the reviews of others after submitting their own", async () => {
  const other = await openPerson(service, "reviewer");
  const { id, callId } = await submitted();
  const list = async () => (await other.ask("GET", `/reviews?call_id=${callId}`)).body.reviews;
  expect((await other.ask("GET", `/reviews/${id}`)).status).toBe(404);
  expect(await list()).toEqual([]);
  const own = await submitted({}, other, callId);
  expect((await other.ask("GET", `/reviews/${id}`)).status).toBe(200);
  expect((await list()).map((review: { id: string }) => review.id)).toEqual([own.id, id]);
});

test("supervisors see that there is a draft, not its answers", async () => {
  const { id } = await answered();
  expect((await supervisor.ask("GET", `/reviews/${id}`)).body).toMatchObject({
    state: "draft",
    answers: {},
    actions: [],
  });
});

test("nobody reviews their own call, with a retired scorecard, or for another campaign", async () => {
  const promoted = await openPerson(service, "reviewer");
  const setRole = (role: string) => admin.query("update app_user set role = $1 where id = $2", [role, promoted.id]);
  await setRole("agent");
  const own = await importOf(promoted);
  await setRole("reviewer");
  expect(await start(promoted, own.id)).toMatchObject({ status: 409, body: { code: "own_call" } });
  const { id: call } = await importOf();
  const retired = await publish();
  await supervisor.ask("PATCH", `/scorecards/${retired}`, { retired: true });
  expect(await start(reviewer, call, retired)).toMatchObject({ status: 409, body: { code: "scorecard_not_for_call" } });
  const manage = openJsonClient(service, await service.key("manage"));
  await manage("POST", "/campaigns", { id: "sales", name: "Sales" });
  const sales = await publish();
  await supervisor.ask("PATCH", `/scorecards/${sales}`, { campaign_ids: ["sales"] });
  expect(await start(reviewer, call, sales)).toMatchObject({ status: 409, body: { code: "scorecard_not_for_call" } });
  const { id: draft } = (await supervisor.ask("POST", "/scorecards", { document: aScorecard })).body;
  expect((await start(reviewer, call, draft)).status).toBe(404);
});

test("a workspace can keep reviewers from picking calls", async () => {
  const manage = openJsonClient(service, await service.key("manage"));
  const setting = (reviewers_pick_calls: boolean) =>
    manage("PATCH", "/workspace", { settings: { reviewers_pick_calls } });
  await setting(false);
  expect(await start()).toMatchObject({ status: 403, body: { code: "picking_off" } });
  expect((await start(supervisor)).status).toBe(201);
  await setting(true);
});

test("lists are filtered and paged", async () => {
  const someone = await openPerson(service, "agent");
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift((await released({}, reviewer, (await importOf(someone)).id)).id);
  const list = async (query: string, by = supervisor) => (await by.ask("GET", `/reviews?${query}`)).body;
  const idsOf = (page: { reviews: { id: string }[] }) => page.reviews.map(({ id }) => id);
  const ofAgent = `agent_id=${someone.id}`;
  const first = await list(`${ofAgent}&limit=2`);
  expect(idsOf(first)).toEqual(ids.slice(0, 2));
  expect(idsOf(await list(`${ofAgent}&limit=2&cursor=${first.next}`))).toEqual(ids.slice(2));
  expect(idsOf(await list("", someone))).toEqual(ids);
  for (const query of ["outcome=failed", "state=released", `reviewer_id=${reviewer.id}`, `scorecard_id=${scorecardId}`])
    expect(idsOf(await list(`${ofAgent}&${query}`))).toEqual(ids);
  for (const query of ["outcome=passed", "state=draft", "disputed=true", "campaign_id=none", `to=2026-01-01T00:00:00Z`])
    expect(idsOf(await list(`${ofAgent}&${query}`))).toEqual([]);
  expect((await reviewer.ask("GET", "/reviews?limit=1")).body.reviews).toHaveLength(1);
});

test("badges count what waits for each person", async () => {
  const others = { agent: await openPerson(service, "agent"), reviewer: await openPerson(service, "reviewer") };
  const waiting = async (by: typeof agent) => (await by.ask("GET", "/reviews/waiting")).body;
  await answered({}, others.reviewer);
  await released({}, others.reviewer, (await importOf(others.agent)).id);
  expect(await waiting(others.reviewer)).toMatchObject({ drafts: 1, to_release: 0, disputes: 0 });
  expect(await waiting(others.agent)).toMatchObject({ drafts: 0, to_acknowledge: 1 });
  const before = (await waiting(supervisor)).to_release;
  await submitted();
  expect((await waiting(supervisor)).to_release).toBe(before + 1);
});

test("keys: review writes, read sees what is submitted", async () => {
  const write = openJsonClient(service, await service.key("review"));
  const read = openJsonClient(service, await service.key("read"));
  const call = await importOf();
  const { body: draft } = await write("POST", "/reviews", { call_id: call.id, scorecard_id: scorecardId });
  expect(draft).toMatchObject({ reviewer: { type: "key" }, actions: ["answer", "submit", "discard"] });
  expect((await read("GET", `/reviews/${draft.id}`)).status).toBe(404);
  const { id } = await submitted();
  expect((await read("GET", `/reviews/${id}`)).status).toBe(200);
  expect((await read("POST", `/reviews/${id}/release`)).status).toBe(403);
  expect((await write("POST", `/reviews/${id}/release`)).status).toBe(200);
});

test("every act has an audit entry and an event with ids only", async () => {
  const { id, number } = await answered({ greeting: { value: "no", comment: "secret" } });
  const entries = await auditOf(service, async () => {
    await reviewer.ask("POST", `/reviews/${id}/submit`, undefined, number);
    await supervisor.ask("POST", `/reviews/${id}/release`);
    await agent.ask("POST", `/reviews/${id}/acknowledge`, { note: "secret" });
    await supervisor.ask("POST", `/reviews/${id}/correct`, {
      answers: { greeting: { value: "yes" } },
      reason: "secret",
    });
    await supervisor.ask("POST", `/reviews/${id}/void`, { reason: "secret" });
  });
  expect(entries.map(({ action }) => action)).toEqual([
    "review.submitted",
    "review.released",
    "review.acknowledged",
    "review.corrected",
    "review.voided",
  ]);
  expect(JSON.stringify(entries)).not.toContain("secret");
  const { rows } = await admin.query("select type, data from event where data ->> 'review_id' = $1 order by xid, seq", [
    id,
  ]);
  expect(rows.map(({ type }) => type)).toEqual([
    "review.submitted",
    "review.released",
    "review.acknowledged",
    "review.voided",
  ]);
  expect(Object.keys(rows[0].data).sort()).toEqual(["agent_id", "call_id", "campaign_id", "review_id"]);
});

test("a repeated save succeeds only if nobody else changed the review since", async () => {
  const { id } = (await start()).body;
  const save = (question: string, value: string, ifMatch: number) =>
    reviewer.ask("PUT", `/reviews/${id}/answers/${question}`, { value }, ifMatch);
  expect((await save("greeting", "yes", 1)).body).toEqual({ number: 2 });
  expect((await save("identity", "full", 2)).body).toEqual({ number: 3 });
  expect((await save("greeting", "yes", 1)).status).toBe(412);
});

test("a call that moved to another agent is reviewed for that agent; the former one sees nothing of it", async () => {
  const other = await openPerson(service, "agent");
  const call = await importOf();
  const draft = await answered({}, reviewer, call.id);
  const move = (agent_email: string) => supervisor.ask("PATCH", `/calls/${call.id}`, { agent_email });
  expect((await move(other.email)).status).toBe(200);
  expect((await reviewer.ask("POST", `/reviews/${draft.id}/submit`, undefined, draft.number)).status).toBe(200);
  await supervisor.ask("POST", `/reviews/${draft.id}/release`);
  expect((await agent.ask("GET", `/reviews/${draft.id}`)).status).toBe(404);
  expect((await other.ask("GET", `/reviews/${draft.id}`)).body).toMatchObject({ agent_id: other.id, score: 6000 });
  const shownTo = async (person: typeof agent) =>
    (await person.ask("GET", "/calls?reviewed=true&limit=200")).body.calls.find(
      ({ id }: { id: string }) => id === call.id,
    )?.review;
  expect(await shownTo(other)).toMatchObject({ id: draft.id });
  expect((await move(agent.email)).status).toBe(200);
  expect(await shownTo(agent)).toBeUndefined();
  const { calls } = (await agent.ask("GET", "/calls?limit=200")).body;
  expect(calls.find(({ id }: { id: string }) => id === call.id)).toMatchObject({ review: null });
});

/** An agent who becomes a supervisor. The role is cached for a second. */
async function promote(person: typeof agent): Promise<void> {
  await admin.query("update app_user set role = 'supervisor', former_agent = true where id = $1", [person.id]);
  await sleep(1_100);
}

test("a call that moved to its reviewer cannot be submitted by them", async () => {
  const person = await openPerson(service, "agent");
  const call = await importOf();
  await promote(person);
  const draft = await answered({}, person, call.id);
  expect((await supervisor.ask("PATCH", `/calls/${call.id}`, { agent_email: person.email })).status).toBe(200);
  expect(await person.ask("POST", `/reviews/${draft.id}/submit`, undefined, draft.number)).toMatchObject({
    status: 409,
    body: { code: "own_call" },
  });
});

test("a supervisor neither releases, corrects nor voids a review of their own call", async () => {
  const person = await openPerson(service, "agent");
  const { id } = await submitted({}, reviewer, (await importOf(person)).id);
  await promote(person);
  const reason = "Mine.";
  const refused = { status: 409, body: { code: "own_call" } };
  const answers = { greeting: { value: "yes" } };
  expect(await person.ask("POST", `/reviews/${id}/release`)).toMatchObject(refused);
  expect(await person.ask("POST", `/reviews/${id}/correct`, { answers, reason })).toMatchObject(refused);
  expect(await person.ask("POST", `/reviews/${id}/void`, { reason })).toMatchObject(refused);
  expect((await person.ask("POST", "/reviews/release", { ids: [id] })).body).toEqual({ released: [], skipped: [id] });
});

test("a correction keeps comments and moments unless it brings its own", async () => {
  const moments = [{ start_ms: 0, end_ms: 1000 }];
  const { id } = await submitted({ greeting: { value: "no", comment: "No name.", moments } });
  const correct = (greeting: object) =>
    supervisor.ask("POST", `/reviews/${id}/correct`, { answers: { greeting }, reason: "Heard again." });
  expect((await correct({ value: "yes" })).body.answers.greeting).toEqual({
    value: "yes",
    comment: "No name.",
    moments,
  });
  expect((await correct({ value: "no", comment: "At 0:04." })).body.answers.greeting).toMatchObject({
    comment: "At 0:04.",
    moments,
  });
});

test("agents get the latest release first, page by page; a filter for another person returns an empty list", async () => {
  const ann = await openPerson(service, "agent");
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await submitted({}, reviewer, (await importOf(ann)).id)).id);
  const [first = "", second = "", third = ""] = ids;
  for (const id of [second, third, first]) await supervisor.ask("POST", `/reviews/${id}/release`);
  const read = async (query: string) => (await ann.ask("GET", `/reviews?${query}`)).body;
  const idsOf = ({ reviews }: { reviews: { id: string }[] }) => reviews.map(({ id }) => id);
  const page = await read("limit=2");
  expect(idsOf(page)).toEqual([first, third]);
  expect(idsOf(await read(`limit=2&cursor=${page.next}`))).toEqual([second]);
  expect(await read(`agent_id=${agent.id}`)).toEqual({ reviews: [], next: null });
  const others = await reviewer.ask("GET", `/reviews?reviewer_id=${supervisor.id}`);
  expect(others.body).toEqual({ reviews: [], next: null });
});

test("reviews of some days are listed by their calls, latest first, page by page", async () => {
  await released();
  const days = "called_from=2020-01-01&called_to=2099-12-31&state=released";
  const all = (await supervisor.ask("GET", `/reviews?${days}`)).body.reviews as { id: string; call_id: string }[];
  expect(all.length).toBeGreaterThan(3);
  const callIds = all.map(({ call_id }) => call_id);
  expect(callIds).toEqual(callIds.toSorted().toReversed());
  const paged: string[] = [];
  for (let cursor = ""; ; ) {
    const { reviews, next } = (await supervisor.ask("GET", `/reviews?${days}&limit=2${cursor}`)).body;
    paged.push(...reviews.map((review: { id: string }) => review.id));
    if (next === null) break;
    cursor = `&cursor=${next}`;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
  const ofScorecard = (await supervisor.ask("GET", `/reviews?${days}&scorecard_id=${scorecardId}`)).body.reviews;
  expect(ofScorecard.length).toBeGreaterThan(0);
  expect(all.length).toBeGreaterThan(ofScorecard.length);
});

test("starting and discarding a review are in the audit log", async () => {
  const { id } = (await start()).body;
  expect((await reviewer.ask("DELETE", `/reviews/${id}`)).status).toBe(204);
  const { rows } = await admin.query("select action from audit_entry where subject_id = $1 order by at", [id]);
  expect(rows.map(({ action }) => action)).toEqual(["review.started", "review.discarded"]);
});
