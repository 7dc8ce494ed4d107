import { expect, test } from "vitest";
import { openJsonClient } from "../../testing/json-client.ts";
import { aScorecard, openPerson, openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { findAgreement } from "./find-agreement.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const tests = await openReviewTests(service);
const { reviewer, supervisor, scorecardId, submitted, released, importOf } = tests;
const second = await openPerson(service, "reviewer");
const readKey = openJsonClient(service, await service.key("read"));

const setSelection = (id: string, selection: string) =>
  admin.query("update review set selection = $2 where id = $1", [id, selection]);

/** A first review of a call and its blind second one. */
async function pair(firstAnswers: Record<string, object>, secondAnswers: Record<string, object>) {
  const callId = (await importOf()).id;
  const first = await released(firstAnswers, reviewer, callId);
  const checked = await submitted(secondAnswers, second, callId);
  await setSelection(checked.id, "second");
  return { callId, first, second: checked };
}

const yes = { greeting: { value: "yes" } };
const no = { greeting: { value: "no" } };
const notApplicable = { greeting: { not_applicable: true } };
test("what a reviewer changes after seeing the second review does not make them agree", async () => {
  const ofItsOwn = await tests.publish();
  const answer = async (by: typeof second, callId: string, value: string) => {
    const { body: draft } = await tests.start(by, callId, ofItsOwn);
    await by.ask("PUT", `/reviews/${draft.id}/answers/greeting`, { value }, draft.number);
    await by.ask("PUT", `/reviews/${draft.id}/answers/identity`, { value: "full" }, draft.number + 1);
    expect((await by.ask("POST", `/reviews/${draft.id}/submit`, undefined, draft.number + 2)).status).toBe(200);
    return draft.id as string;
  };
  const { id: callId } = await importOf();
  const first = await answer(reviewer, callId, "yes");
  await setSelection(await answer(second, callId, "no"), "second");
  const { body: reopened } = await reviewer.ask("POST", `/reviews/${first}/reopen`);
  await reviewer.ask("PUT", `/reviews/${first}/answers/greeting`, { value: "no" }, reopened.number);
  expect((await reviewer.ask("POST", `/reviews/${first}/submit`, undefined, reopened.number + 1)).status).toBe(200);
  const { body } = await supervisor.ask("GET", `/agreement?scorecard_id=${ofItsOwn}`);
  expect(body.questions[0].answer).toMatchObject({ calls: 1, raw: { value: 0 } });
});

const ask = (query = "") => supervisor.ask("GET", `/agreement?scorecard_id=${scorecardId}${query}`);

test("agreement of first and second reviews, per question", async () => {
  expect((await ask()).body).toMatchObject({ pairs: 0, complete: true, questions: [{ answer: { calls: 0 } }, {}] });
  for (let n = 0; n < 4; n++) await pair(yes, yes);
  for (let n = 0; n < 3; n++) await pair(no, no);
  await pair(yes, no);
  const last = await pair(no, notApplicable);
  // Without a second, without a first, and a review that is neither.
  await released(yes);
  await setSelection((await submitted(no, second)).id, "second");
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(body).toMatchObject({ scorecard: { id: scorecardId, version: 1 }, pairs: 9, complete: true });
  const [greeting, identity] = body.questions;
  // 7 of 8 agree; coincidences: yes 9, no 7 of 16; one disagreement.
  expect(greeting.answer).toMatchObject({ calls: 8, too_few: false, raw: { value: 0.875 } });
  expect(greeting.answer.alpha.value).toBeCloseTo(1 - 2 / ((2 * 9 * 7) / 15), 10);
  // The first answer of the ninth pair counts for the shares of AC1: (4.5 + 0) / 9 yes, 4.5 / 9 no.
  expect(greeting.answer.ac.value).toBeCloseTo((0.875 - 2 * 0.5 * 0.5) / (1 - 0.5), 10);
  expect(greeting.answer.raw.low).toBeLessThan(0.875);
  expect(greeting.answer.raw.high).toBeGreaterThan(0.875);
  expect(greeting.answer.alpha).toMatchObject({ low: null, high: null });
  expect(greeting.applicability).toMatchObject({ calls: 9, raw: { value: 8 / 9 } });
  expect(identity).toMatchObject({
    question_id: "identity",
    type: "choice",
    applicability: null,
    answer: { raw: { value: 1, low: null }, alpha: { value: null }, ac: { value: 1 } },
  });

  // A correction does not make reviewers agree.
  await supervisor.ask("POST", `/reviews/${last.first.id}/correct`, { answers: notApplicable, reason: "R" });
  expect((await ask()).body.questions[0].applicability.raw.value).toBe(8 / 9);
  // Voided reviews count nowhere.
  await supervisor.ask("POST", `/reviews/${last.second.id}/void`, { reason: "R" });
  expect((await ask()).body.pairs).toBe(8);
  const [past, future] = ["2020-01-01T00:00:00Z", new Date(Date.now() + 60_000).toISOString()];
  expect((await ask(`&from=${past}&to=${future}`)).body.pairs).toBe(8);
  expect((await ask(`&to=${past}`)).body.pairs).toBe(0);
  expect((await ask(`&from=${future}`)).body.pairs).toBe(0);
});

test("questions are compared across versions while their answers are the same", async () => {
  const before = (await ask()).body.pairs;
  const [section] = aScorecard.sections;
  const [greeting, identity] = section.questions;
  const changed = { ...identity, options: identity.options.slice(0, 2) };
  const added = { id: "closing", title: "Says goodbye", type: "yes_no", weight: 10 };
  const document = {
    ...aScorecard,
    sections: [{ ...section, questions: [{ ...greeting, title: "Greets well" }, changed, added] }],
  };
  await supervisor.ask("PUT", `/scorecards/${scorecardId}/draft`, { document });
  expect((await supervisor.ask("POST", `/scorecards/${scorecardId}/publish`)).status).toBe(201);
  const { body } = await ask();
  expect(body).toMatchObject({ scorecard: { version: 2 }, pairs: before });
  expect(body.questions).toMatchObject([
    { question_id: "greeting", title: "Greets well", answer: { calls: 8 } },
    { question_id: "identity", answer: { calls: 0 } },
    { question_id: "closing", answer: { calls: 0 } },
  ]);
});

test("for supervisors and API keys", async () => {
  expect((await reviewer.ask("GET", `/agreement?scorecard_id=${scorecardId}`)).status).toBe(403);
  expect((await readKey("GET", `/agreement?scorecard_id=${scorecardId}`)).status).toBe(200);
  expect((await readKey("GET", `/agreement?scorecard_id=${reviewer.id}`)).body.code).toBe("scorecard_not_found");
  expect((await readKey("GET", "/agreement")).status).toBe(400);
});

test("more pairs than the limit: the newest are compared", async () => {
  // Copies of one pair. The newest of them disagree.
  const { first, second: checked } = await pair(
    { ...yes, closing: { value: "yes" } },
    { ...yes, closing: { value: "yes" } },
  );
  const copy = async (agrees: boolean, count: number, at: string) =>
    admin.query(
      `with numbers as materialized (select gen_random_uuid() as call_id, gen_random_uuid() as first, gen_random_uuid() as second
          from generate_series(1, $3::int)),
        copied as (
          insert into review (workspace_id, id, call_id, agent_id, campaign_id, scorecard_id, version, reviewer_type, reviewer_id,
            selection, state, revision, score, outcome, submitted_at)
          select r.workspace_id, case r.id when $1::uuid then n.first else n.second end, n.call_id, r.agent_id, r.campaign_id,
            r.scorecard_id, r.version, r.reviewer_type, r.reviewer_id, r.selection, 'submitted', 1, r.score, r.outcome, $4
          from numbers as n, review as r where r.id in ($1::uuid, $2::uuid) returning 1)
      insert into review_revision (workspace_id, review_id, number, author_type, author_id, cause, answers, result, score, outcome)
      select v.workspace_id, case v.review_id when $1::uuid then n.first else n.second end, 1, v.author_type, v.author_id, v.cause,
        case when v.review_id = $1::uuid or $5::boolean then v.answers else v.answers || '{"greeting": {"value": "no"}}' end,
        v.result, v.score, v.outcome
      from numbers as n, review_revision as v, (select count(*) from copied) as done
      where v.review_id in ($1::uuid, $2::uuid) and v.number = 1`,
      [first.id, checked.id, count, at, agrees],
    );
  await copy(true, 700, "2026-01-01T00:00:00Z");
  await copy(false, 600, "2026-02-01T00:00:00Z");
  const input = { scorecardId, from: undefined, to: new Date("2026-03-01T00:00:00Z") };
  const report = await findAgreement(app, caller.workspaceId, { ...input, mostPairs: 1000 });
  expect(report).toMatchObject({ pairs: 1000, complete: false });
  expect(report.questions[0]?.answer?.raw.value).toBeCloseTo(400 / 1000, 10);
  const all = await findAgreement(app, caller.workspaceId, { ...input, mostPairs: 1300 });
  expect(all).toMatchObject({ pairs: 1300, complete: true });
});
