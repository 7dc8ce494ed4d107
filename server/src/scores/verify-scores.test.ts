import { afterEach, expect, test } from "vitest";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { findSumDifferences } from "../testing/recomputed-scores.ts";
import { aScorecard, openReviewTests } from "../testing/reviews.ts";
import { openScoreTests } from "../testing/scores.ts";
import { openTestApp } from "../testing/test-app.ts";
import { backfillScores } from "./backfill-scores.ts";
import { verifyScores } from "./verify-scores.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const { workspaceId } = caller;
const tests = await openReviewTests(service);
const { agent, reviewer, supervisor, released, submitted, dispute } = tests;
const { added, differences } = openScoreTests(service);

const resolve = async (id: string, decision: object) => {
  const opened = (await dispute(id)).body;
  const arbiter = [supervisor, tests.admin].find((one) => one.id === opened.arbiter_id) ?? supervisor;
  const items = [{ question_id: "greeting", explanation: "Heard again.", ...decision }];
  return arbiter.ask("POST", `/disputes/${opened.id}/resolve`, { items });
};

afterEach(async () => {
  expect(await differences()).toEqual([]);
  expect(await findSumDifferences(admin)).toEqual([]);
});

test("a release counts the review, its sections and its answers; a draft or submitted review counts nothing", async () => {
  let id = "";
  expect(await added(async () => ({ id } = await submitted()))).toEqual({});
  const release = () => supervisor.ask("POST", `/reviews/${id}/release`);
  expect(await added(release)).toEqual({ scored: 1, failed: 1, score_total: 6000, score_squares: 36_000_000 });
  expect(await added(() => released(), "greeting")).toEqual({ scored: 1, failed: 1 });
  expect(await added(() => released(), "identity")).toEqual({
    scored: 1,
    passed: 1,
    score_total: 10_000,
    score_squares: 100_000_000,
  });
  expect(await added(() => released(), "call")).toEqual({ scored: 1, score_total: 6000, score_squares: 36_000_000 });
  expect(await added(() => released({ greeting: { not_applicable: true } }), "greeting")).toEqual({ unscored: 1 });
  const failing = { identity: { value: "no", comment: "Not at all." } };
  expect(await added(() => released(failing))).toEqual({ scored: 1, failed: 1, failed_call: 1 });
  expect(await added(() => released(failing), "identity")).toEqual({ scored: 1, failed: 1, failed_call: 1 });
});

test("a scorecard that releases on submission counts with the submission", async () => {
  const scorecardId = await tests.publish({ ...aScorecard, release: "on_submit" });
  const { body: draft } = await tests.start(reviewer, undefined, scorecardId);
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/greeting`, { value: "yes" }, 1);
  await reviewer.ask("PUT", `/reviews/${draft.id}/answers/identity`, { value: "full" }, 2);
  const submit = () => reviewer.ask("POST", `/reviews/${draft.id}/submit`, undefined, 3);
  expect(await added(submit)).toMatchObject({ scored: 1, passed: 1, score_total: 10_000 });
  // A repeated request counts nothing.
  expect(await added(submit)).toEqual({});
});

test("corrections, disputes, acknowledgements and voiding change the sums", async () => {
  const { id } = await released();
  const correct = (value: string) => () =>
    supervisor.ask("POST", `/reviews/${id}/correct`, { answers: { greeting: { value } }, reason: "Heard." });
  expect(await added(correct("yes"))).toMatchObject({ passed: 1, failed: -1, score_total: 4000 });
  expect(await added(correct("no"), "greeting")).toMatchObject({ passed: -1, failed: 1, score_total: -10_000 });
  const acknowledge = () => agent.ask("POST", `/reviews/${id}/acknowledge`);
  expect(await added(acknowledge)).toEqual({ acknowledged: 1 });
  expect(await added(acknowledge)).toEqual({});
  expect(await added(() => resolve(id, { decision: "upheld" }))).toEqual({ disputes: 1 });
  expect(await added(() => resolve(id, { decision: "changed" }))).toMatchObject({
    disputes: 1,
    disputes_changed: 1,
    score_total: 4000,
    passed: 1,
    failed: -1,
  });
  const voiding = () => supervisor.ask("POST", `/reviews/${id}/void`, { reason: "Wrong call." });
  expect(await added(voiding)).toMatchObject({
    scored: -1,
    passed: -1,
    score_total: -10_000,
    disputes: -2,
    disputes_changed: -1,
    acknowledged: -1,
  });
});

test("differences are named and repaired", async () => {
  await released();
  await admin.query("update score_sum set passed = passed + 7 where part = 'review' and item_id = ''");
  await admin.query("delete from agent_score_sum");
  expect((await findSumDifferences(admin)).length).toBeGreaterThan(0);
  const found = await differences();
  const wrong = found.find(({ table }) => table === "score_sum");
  expect(wrong).toMatchObject({ key: { part: "review", itemId: "" } });
  expect((wrong?.stored.passed ?? 0) - (wrong?.expected.passed ?? 0)).toBe(7);
  expect(found.find(({ table }) => table === "agent_score_sum")).toMatchObject({
    key: { agentId: agent.id },
    stored: { scored: 0 },
  });
  const repaired = await verifyScores(app, workspaceId, { repair: true });
  expect(repaired.differences).toBe(found.length);
});

test("a backfill counts reviews from before the sums, also after it was killed", async () => {
  await admin.query("truncate score_sum, agent_score_sum, deleted_score_sum");
  await admin.query("insert into score_backfill (workspace_id) values ($1) on conflict do nothing", [workspaceId]);
  // A review that is not counted yet changes meanwhile.
  const { rows } = await admin.query("select id from review where state = 'released' and dispute is null limit 1");
  await supervisor.ask("POST", `/reviews/${rows[0].id}/void`, { reason: "Wrong call." });
  await expect(backfillScores(app, workspaceId, AbortSignal.abort())).rejects.toThrow();
  expect((await differences()).length).toBeGreaterThan(0);
  await backfillScores(app, workspaceId);
  expect((await admin.query("select from score_backfill")).rowCount).toBe(0);
});

test("random acts of several people at once leave no difference, at no time", { timeout: 120_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  let state = seed;
  // Linear congruential generator (Numerical Recipes).
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const greetings = [{ value: "yes" }, { value: "no" }, { not_applicable: true }];
  const identities = [{ value: "full" }, ...["partly", "no"].map((value) => ({ value, comment: "Heard." }))];
  const anAnswer = () => ({ greeting: greetings[random(3)] as object, identity: identities[random(3)] as object });
  const ids: string[] = [];
  for (let made = 0; made < 12; made++) ids.push((await submitted(anAnswer())).id);
  const acts: readonly ((id: string) => Promise<{ status: number }>)[] = [
    (id) => supervisor.ask("POST", `/reviews/${id}/release`),
    (id) => supervisor.ask("POST", "/reviews/release", { ids: ids.slice(0, 1 + random(ids.length)).concat(id) }),
    (id) => supervisor.ask("POST", `/reviews/${id}/correct`, { answers: anAnswer(), reason: "Heard." }),
    (id) => tests.admin.ask("POST", `/reviews/${id}/correct`, { answers: anAnswer(), reason: "Heard." }),
    (id) => agent.ask("POST", `/reviews/${id}/acknowledge`),
    (id) => dispute(id, { proposed: greetings[random(3)] }),
    (id) => resolve(id, { decision: random(2) ? "changed" : "upheld" }),
    (id) =>
      random(6) ? agent.ask("GET", `/reviews/${id}`) : supervisor.ask("POST", `/reviews/${id}/void`, { reason: "No." }),
    async () => {
      const review = await submitted(anAnswer());
      ids.push(review.id);
      return { status: 200 };
    },
  ];
  const statuses = new Map<number, number>();
  const work = async () => {
    for (let done = 0; done < 75; done++) {
      const { status } = await (acts[random(acts.length)] as (typeof acts)[0])(ids[random(ids.length)] as string);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  let isOver = false;
  const verifyMeanwhile = async () => {
    while (!isOver) expect(await differences(), `seed ${seed}`).toEqual([]);
  };
  const verifying = verifyMeanwhile();
  await Promise.all(Array.from({ length: 4 }, work)).finally(() => {
    isOver = true;
  });
  await verifying;
  expect(await differences(), `seed ${seed}`).toEqual([]);
  expect(await findSumDifferences(admin), `seed ${seed}`).toEqual([]);
  expect(statuses.get(500), `seed ${seed}`).toBeUndefined();
  expect(statuses.get(200), `seed ${seed}`).toBeGreaterThan(60);
});

test("the service's role cannot delete sums without the agent; another workspace sees none", async () => {
  const remove = inWorkspace(app, workspaceId, (tx) => tx.deleteFrom("scoreSum").execute());
  await expect(remove).rejects.toThrow(/permission denied/);
  const other = await service.anotherWorkspace();
  const seen = await inWorkspace(app, other.workspaceId, (tx) => tx.selectFrom("scoreSum").selectAll().execute());
  expect(seen).toEqual([]);
});
