import { expect, test } from "vitest";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { openJsonClient } from "../testing/json-client.ts";
import { aScorecard, openPerson, openReviewTests } from "../testing/reviews.ts";
import { openTestApp } from "../testing/test-app.ts";
import { expireReviews } from "./delete-reviews.ts";
import { eraseWorkspace } from "./erase-workspace.ts";
import { runErasure } from "./run-erasure.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const { workspaceId } = caller;
const tests = await openReviewTests(service);
const { agent, reviewer, supervisor, released, answered, submitted, dispute, importOf } = tests;
const manage = openJsonClient(service, await service.key("manage"));

const count = async (table: string, where = "true") =>
  (await admin.query(`select count(*)::int as count from ${table} where ${where}`)).rows[0].count;
const everything = { greeting: { value: "no", comment: "secret", moments: [{ start_ms: 0, end_ms: 9 }] } };

test("as the service's role, no statement changes or deletes a revision or its comments", async () => {
  const { id } = await released(everything);
  for (const statement of [
    "update review_revision set score = 10000",
    "delete from review_revision",
    "update review_comment set comment = 'x'",
    "delete from review_comment",
    "truncate review_revision cascade",
  ]) {
    const attempt = inWorkspace(app, workspaceId, (tx) => tx.executeQuery({ ...compiled(statement) }));
    await expect(attempt, statement).rejects.toThrow(/permission denied/);
  }
  const call = `select delete_reviews(array['${id}']::uuid[])`;
  await expect(inWorkspace(app, workspaceId, (tx) => tx.executeQuery(compiled(call)))).rejects.toThrow(
    /deleted only with/,
  );
  // Even the superuser, by mistake.
  await expect(admin.query("update review_revision set score = 10000")).rejects.toThrow(/never changes/);
  await expect(admin.query("delete from review_comment")).rejects.toThrow(/deleted only with/);
});

test("erasing a call removes what was written about it and keeps answers and scores", async () => {
  const { id, callId } = await released(everything);
  await agent.ask("POST", `/reviews/${id}/acknowledge`, { note: "secret" });
  const opened = (await dispute(id, { reason: "secret", moment: { start_ms: 1, end_ms: 2 } })).body;
  const draft = await answered({}, supervisor, callId);
  const reopened = await submitted(everything, tests.admin, callId);
  await tests.admin.ask("POST", `/reviews/${reopened.id}/reopen`);
  await supervisor.ask("POST", `/calls/${callId}/notes`, { position_ms: 4, text: "secret" });

  expect((await manage("DELETE", `/calls/${callId}`)).status).toBe(204);
  const { body } = await agent.ask("GET", `/reviews/${id}`);
  expect(body).toMatchObject({
    score: 6000,
    comment: "",
    acknowledgement: null,
    answers: { greeting: { value: "no" } },
  });
  expect(body.answers.greeting).toEqual({ value: "no" });
  expect((await supervisor.ask("GET", `/disputes/${opened.id}`)).body.items).toMatchObject([
    { reason: "", moment: null },
  ]);
  expect((await supervisor.ask("GET", `/reviews/${draft.id}`)).status).toBe(404);
  expect((await tests.admin.ask("GET", `/reviews/${reopened.id}`)).body).toMatchObject({
    state: "submitted",
    score: 6000,
  });
  expect(await tests.admin.ask("POST", `/reviews/${reopened.id}/reopen`)).toMatchObject({ status: 404 });
  expect(await count("call_note", `call_id = '${callId}'`)).toBe(0);
  for (const table of ["review_comment", "review_draft"])
    expect(await count(table, `review_id in ('${id}', '${reopened.id}', '${draft.id}')`), table).toBe(0);
});

test("what is written after the call was erased is refused; answers and decisions without texts are stored", async () => {
  const moment = { start_ms: 1, end_ms: 2 };
  const refused = { status: 409, body: { code: "call_erased" } };
  const blank = { status: 422, body: { code: "fields_invalid" } };
  const [disputed, voided, kept] = [await released(), await released(), await released()];
  for (const { callId } of [disputed, voided]) expect((await manage("DELETE", `/calls/${callId}`)).status).toBe(204);

  const acknowledge = (note?: string) => agent.ask("POST", `/reviews/${disputed.id}/acknowledge`, { note });
  expect(await acknowledge("secret")).toMatchObject(refused);
  expect((await acknowledge(" ")).body).toMatchObject({ acknowledgement: null, acknowledged_at: expect.any(String) });

  for (const text of [{ reason: "secret" }, { reason: "", moment }])
    expect(await dispute(disputed.id, text)).toMatchObject(refused);
  expect(await dispute(kept.id, { reason: " " })).toMatchObject(blank);
  const opened = await dispute(disputed.id, { reason: "" });
  expect(opened).toMatchObject({ status: 201, body: { items: [{ reason: "", moment: null }] } });

  const resolve = (explanation: string) => {
    const items = [{ question_id: "greeting", decision: "changed", explanation }];
    return tests.admin.ask("POST", `/disputes/${opened.body.id}/resolve`, { items });
  };
  expect(await resolve("secret")).toMatchObject(refused);
  expect(await resolve("")).toMatchObject({ status: 200, body: { items: [{ decision: "changed", explanation: "" }] } });

  const correct = (id: string, reason: string, identity: object) =>
    supervisor.ask("POST", `/reviews/${id}/correct`, { answers: { identity }, reason });
  const partly = { value: "partly" };
  for (const answer of [
    { ...partly, comment: "secret" },
    { ...partly, moments: [moment] },
  ])
    expect(await correct(voided.id, "", answer)).toMatchObject(refused);
  expect(await correct(voided.id, "secret", partly)).toMatchObject(refused);
  expect(await correct(kept.id, "", partly)).toMatchObject(blank);
  // The scorecard requires a comment for this answer.
  expect(await correct(voided.id, "", partly)).toMatchObject({ status: 200, body: { score: 3000 } });

  const voidIt = (id: string, reason: string) => supervisor.ask("POST", `/reviews/${id}/void`, { reason });
  expect(await voidIt(voided.id, "secret")).toMatchObject(refused);
  expect(await voidIt(kept.id, "")).toMatchObject(blank);
  expect(await voidIt(voided.id, "")).toMatchObject({ status: 200, body: { state: "voided", voided: { reason: "" } } });

  const ids = `('${disputed.id}', '${voided.id}')`;
  expect(await count("review_comment", `review_id in ${ids}`)).toBe(0);
  const texts = await admin.query(
    `select r::text from review as r where id in ${ids} union all
      select i::text from dispute_item as i join dispute as d on d.id = i.dispute_id where d.review_id in ${ids}`,
  );
  expect(JSON.stringify(texts.rows)).not.toContain("secret");
});

test("a review with an answer in words can be corrected after the call was erased, and the answer with it", async () => {
  const [section] = aScorecard.sections;
  const questions = [...section.questions, { id: "words", title: "In words", type: "text" }];
  const scorecardId = await tests.publish({ ...aScorecard, sections: [{ ...section, questions }] });
  const { body: draft } = await tests.start(reviewer, undefined, scorecardId);
  const answers = { greeting: { value: "no" }, identity: { value: "full" }, words: { value: "secret" } };
  let { number } = draft;
  for (const [question, answer] of Object.entries(answers))
    number = (await reviewer.ask("PUT", `/reviews/${draft.id}/answers/${question}`, answer, number)).body.number;
  expect((await reviewer.ask("POST", `/reviews/${draft.id}/submit`, undefined, number)).status).toBe(200);
  expect((await manage("DELETE", `/calls/${draft.call_id}`)).status).toBe(204);
  const correct = (changes: object) =>
    supervisor.ask("POST", `/reviews/${draft.id}/correct`, { answers: changes, reason: "" });
  const greeting = { value: "yes" };
  expect(await correct({ greeting, words: { value: "new" } })).toMatchObject({ body: { code: "call_erased" } });
  expect(await correct({ greeting })).toMatchObject({ status: 200, body: { score: 10_000 } });
});

test("erasing an agent deletes their reviews and disputes, except those of calls under legal hold", async () => {
  const leaving = await openPerson(service, "agent");
  const kept = await released(everything, reviewer, (await importOf(leaving)).id);
  const gone = await released(everything, reviewer, (await importOf(leaving)).id);
  const items = [{ question_id: "greeting", proposed: { value: "yes" }, reason: "secret" }];
  await leaving.ask("POST", `/reviews/${gone.id}/disputes`, { items });
  const hold = await manage("POST", "/holds", { call_id: kept.callId, reason: "Court" });
  expect(hold.status).toBe(201);
  const erase = async () => {
    const requested = await manage("POST", "/erasures", { agent_id: leaving.id });
    await runErasure(app, { workspaceId, id: requested.body.id });
  };
  await erase();
  expect(await count("review", `agent_id = '${leaving.id}'`)).toBe(1);
  expect(await count("review_revision", `review_id = '${gone.id}'`)).toBe(0);
  expect(await count("review_comment", `review_id = '${kept.id}'`)).toBeGreaterThan(0);
  await manage("DELETE", `/holds/${hold.body.id}`);
  await erase();
  expect(await count("review", `agent_id = '${leaving.id}'`)).toBe(0);
  expect(await count("dispute", `review_id = '${gone.id}'`)).toBe(0);
  expect(await count("review_email", `agent_id = '${leaving.id}'`)).toBe(0);
});

test("reviews expire after their retention, with an audit entry; those of held calls stay", async () => {
  const old = [await released(everything), await released(everything)];
  const recent = await released();
  const hold = await manage("POST", "/holds", { call_id: old[0]?.callId, reason: "Court" });
  const age = "update review set submitted_at = now() - interval '13 months' where id = any ($1)";
  await admin.query(age, [old.map(({ id }) => id)]);
  expect(await expireReviews(app, workspaceId)).toBe(0);
  await manage("PATCH", "/workspace", { settings: { review_retention_months: 12 } });
  expect(await expireReviews(app, workspaceId)).toBe(1);
  expect(await expireReviews(app, workspaceId)).toBe(0);
  expect((await supervisor.ask("GET", `/reviews/${old[1]?.id}`)).status).toBe(404);
  for (const id of [old[0]?.id, recent.id]) expect((await supervisor.ask("GET", `/reviews/${id}`)).status).toBe(200);
  const { rows } = await admin.query("select data from audit_entry where action = 'reviews.expired'");
  expect(rows).toEqual([{ data: { reviews: 1 } }]);
  await manage("DELETE", `/holds/${hold.body.id}`);
});

test("a hold on an agent or campaign keeps reviews whose call is gone", async () => {
  const leaving = await openPerson(service, "agent");
  const { id, callId } = await released(everything, reviewer, (await importOf(leaving)).id);
  expect((await manage("DELETE", `/calls/${callId}`)).status).toBe(204);
  await admin.query("update review set submitted_at = now() - interval '5 years' where id = $1", [id]);
  const isThere = () => count("review", `id = '${id}'`);
  await manage("PATCH", "/workspace", { settings: { review_retention_months: 12 } });
  const hold = await manage("POST", "/holds", { agent_id: leaving.id, reason: "Court" });
  await expireReviews(app, workspaceId);
  const requested = await manage("POST", "/erasures", { agent_id: leaving.id });
  await runErasure(app, { workspaceId, id: requested.body.id });
  expect(await isThere()).toBe(1);
  await manage("DELETE", `/holds/${hold.body.id}`);
  expect(await expireReviews(app, workspaceId)).toBe(1);
  expect(await isThere()).toBe(0);
});

test("answers to text questions go with the call", async () => {
  const text = { id: "wish", title: "What did the customer want?", type: "text" };
  const scorecardId = await tests.publish({
    ...aScorecard,
    sections: [{ ...aScorecard.sections[0], questions: [aScorecard.sections[0].questions[0], text] }],
  });
  const { body: draft } = await tests.start(reviewer, undefined, scorecardId);
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/greeting`, { value: "yes" }, 1);
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/wish`, { value: "secret wish" }, 2);
  expect((await reviewer.ask("POST", `/reviews/${draft.id}/submit`, undefined, 3)).status).toBe(200);
  const path = `/reviews/${draft.id}`;
  const answers = { wish: { value: "another secret" } };
  expect((await supervisor.ask("POST", `${path}/correct`, { answers, reason: "Heard." })).status).toBe(200);
  const { body } = await supervisor.ask("GET", path);
  expect(body.answers.wish).toEqual({ value: "another secret" });
  expect(body.revisions[0].changed).toEqual([
    { question_id: "wish", before: { value: "secret wish" }, after: { value: "another secret" } },
  ]);
  expect((await manage("DELETE", `/calls/${draft.call_id}`)).status).toBe(204);
  expect(JSON.stringify((await supervisor.ask("GET", path)).body)).not.toContain("secret");
  const stored = await admin.query("select answers::text || result::text as text from review_revision");
  for (const row of stored.rows) expect(row.text).not.toContain("secret");
});

/** A closed session of two reviewers on one call, with a decision. */
async function closedSession(of = agent) {
  const callId = (await importOf(of)).id;
  const people = [reviewer, supervisor];
  const session = await supervisor.ask("POST", "/calibrations", {
    name: "C",
    scorecard_id: tests.scorecardId,
    call_ids: [callId],
    participant_ids: people.map(({ id }) => id),
  });
  const { id } = session.body;
  for (const person of people) {
    const { body: draft } = await person.ask("POST", "/reviews", { call_id: callId, calibration_id: id });
    await person.ask("PUT", `/reviews/${draft.id}/answers/greeting`, { value: "yes", comment: "secret" }, 1);
    await person.ask("PUT", `/reviews/${draft.id}/answers/identity`, { value: "full" }, 2);
    expect((await person.ask("POST", `/reviews/${draft.id}/submit`, undefined, 3)).status).toBe(200);
  }
  await supervisor.ask("POST", `/calibrations/${id}/close`);
  expect((await supervisor.ask("PUT", `/calibrations/${id}/decisions/greeting`, { text: "secret" })).status).toBe(200);
  return { id: id as string, callId };
}

test("erasing an agent deletes calibration reviews of their calls and the decisions of those sessions", async () => {
  const leaving = await openPerson(service, "agent");
  const { id, callId } = await closedSession(leaving);
  const mixed = await closedSession(leaving);
  // A second call, of another agent, in the other session.
  const kept = await closedSession();
  await admin.query("update review set calibration_id = $1 where calibration_id = $2", [mixed.id, kept.id]);
  await admin.query("update calibration_call set calibration_id = $1 where calibration_id = $2", [mixed.id, kept.id]);
  const hold = await manage("POST", "/holds", { call_id: callId, reason: "Court" });
  const erase = async () => {
    const requested = await manage("POST", "/erasures", { agent_id: leaving.id });
    await runErasure(app, { workspaceId, id: requested.body.id });
  };
  await erase();
  // Under legal hold, with its text.
  expect(await count("review", `calibration_id = '${id}'`)).toBe(2);
  expect(await count("calibration_decision", `calibration_id = '${id}'`)).toBe(1);
  expect(await count("review", `calibration_id = '${mixed.id}'`)).toBe(2);
  expect(await count("calibration_decision", `calibration_id = '${mixed.id}'`)).toBe(0);
  expect(await count("calibration_call", `calibration_id = '${mixed.id}'`)).toBe(1);
  await manage("DELETE", `/holds/${hold.body.id}`);
  await erase();
  for (const table of ["review", "calibration_decision", "calibration_call", "calibration_participant"])
    expect(await count(table, `calibration_id = '${id}'`), table).toBe(0);
  expect(await count("calibration", `id = '${id}'`)).toBe(0);
  expect((await supervisor.ask("GET", `/calibrations/${mixed.id}/results`)).body.calls).toHaveLength(1);
});

test("sessions expire with their last review; those of held calls stay", async () => {
  const [gone, held] = [await closedSession(), await closedSession()];
  const hold = await manage("POST", "/holds", { call_id: held.callId, reason: "Court" });
  await manage("PATCH", "/workspace", { settings: { review_retention_months: 12 } });
  await admin.query("update review set submitted_at = now() - interval '13 months' where calibration_id = any ($1)", [
    [gone.id, held.id],
  ]);
  expect(await expireReviews(app, workspaceId)).toBe(2);
  expect(await count("calibration", `id = '${gone.id}'`)).toBe(0);
  expect(await count("calibration_decision", `calibration_id = '${gone.id}'`)).toBe(0);
  expect(await count("calibration_decision", `calibration_id = '${held.id}'`)).toBe(1);
  await manage("DELETE", `/holds/${hold.body.id}`);
});

test("erasing a workspace deletes everything about reviews", async () => {
  await dispute((await released(everything)).id);
  await answered();
  await eraseWorkspace(app, workspaceId);
  for (const table of [
    "review",
    "review_draft",
    "review_revision",
    "review_comment",
    "dispute",
    "dispute_item",
    "calibration",
  ])
    expect(await count(table), table).toBe(0);
});

function compiled(statement: string) {
  const query = { kind: "RawNode", sqlFragments: [statement], parameters: [] } as const;
  return { sql: statement, parameters: [], query, queryId: { queryId: statement } };
}
