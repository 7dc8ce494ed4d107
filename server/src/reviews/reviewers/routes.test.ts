import type { ReviewerScore } from "@hearback/contract";
import { expect, test } from "vitest";
import { scoreFilterOf } from "../../scores/score-filter.ts";
import { openJsonClient } from "../../testing/json-client.ts";
import { openPlanTests } from "../../testing/plans.ts";
import { openPerson } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { listReviewers } from "./list-reviewers.ts";

const service = await openTestApp();
const { admin } = service;
const tests = await openPlanTests(service);
const { agent, reviewer, supervisor, released, submitted, importOf, scorecardId, dispute } = tests;
const read = openJsonClient(service, await service.key("read"));
const other = await openPerson(service, "reviewer");

await released();
const { rows: calls } = await admin.query("select happened_at from call order by happened_at limit 1");
const at = (calls[0].happened_at as Date).getTime();
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const week = 7 * 24 * 3600_000;
const period = `from=${dayOf(at - week)}&to=${dayOf(at + week)}`;
const list = async (filter = "") => (await read("GET", `/scores/reviewers?${period}${filter}`)).body;
const find = async (id: string, filter = ""): Promise<ReviewerScore> =>
  (await list(filter)).reviewers.find((one: ReviewerScore) => one.reviewer_id === id);

const yes = { greeting: { value: "yes" } };
const notApplicable = { greeting: { not_applicable: true } };

test("counts released reviews with their median active time; second reviews and drafts do not count", async () => {
  const before = (await find(reviewer.id)).reviews;
  const ids = [(await released()).id, (await released()).id, (await released()).id];
  await submitted();
  const voided = await released();
  await supervisor.ask("POST", `/reviews/${voided.id}/void`, { reason: "Wrong call." });
  for (const [index, id] of ids.entries())
    await admin.query("update review set active_ms = $2 where id = $1", [id, (index + 1) * 100_000]);
  expect(await find(reviewer.id)).toMatchObject({
    reviews: before + 3,
    median_active_seconds: 200,
    name: expect.any(String),
    severity: { n: 0, value: null },
    overturned: { disputed: 0, changed: 0, changed_rate: { n: 0, value: null } },
  });
  expect(await find(other.id)).toBeUndefined();
  const none = "0190f3c2-6c0b-7d6e-9b0e-2c4d0f6a3b1f";
  expect(await find(reviewer.id, `&scorecard_id=${scorecardId}&campaign_id=${service.campaignId}`)).toBeDefined();
  for (const filter of [`&scorecard_id=${none}`, `&team_id=${none}`, "&campaign_id=other"])
    expect((await list(filter)).reviewers, filter).toEqual([]);
});

test("agreement counts the pairs in which a reviewer was first or second", async () => {
  const pair = async (first: Record<string, object>, second: Record<string, object>) => {
    const callId = (await importOf()).id;
    await released(first, reviewer, callId);
    const { id } = await submitted(second, other, callId);
    await admin.query("update review set selection = 'second' where id = $1", [id]);
  };
  await released({}, other);
  await pair(yes, yes);
  await pair(yes, {});
  await pair(notApplicable, notApplicable);
  await pair(notApplicable, yes);
  // Two questions; the identity is always the same.
  const expected = { n: 4, value: 7500, low: 2408, high: 9741 };
  expect((await find(reviewer.id)).agreement).toEqual(expected);
  expect(await find(other.id)).toMatchObject({ reviews: 1, agreement: expected });
  expect((await list()).agreement_complete).toBe(true);
});

test("overturned is the rate of decided disputes that changed an answer", async () => {
  const resolve = async (decision: string) => {
    const { id } = await released({}, other);
    const opened = (await dispute(id)).body;
    const arbiter = [supervisor, tests.admin].find((one) => one.id === opened.arbiter_id) ?? supervisor;
    const items = [{ question_id: "greeting", explanation: "Heard again.", decision }];
    expect((await arbiter.ask("POST", `/disputes/${opened.id}/resolve`, { items })).status).toBe(200);
  };
  await resolve("changed");
  await resolve("upheld");
  await dispute((await released({}, other)).id);
  expect((await find(other.id)).overturned).toEqual({
    disputed: 3,
    changed: 1,
    changed_rate: { n: 2, value: 5000, low: 267, high: 9733 },
  });
});

test("pages are in the order of ids; API keys have their name, deleted users none", async () => {
  const setReviewer = (id: string, reviewerId: string) =>
    admin.query(`update review set reviewer_id = ${reviewerId} where id = $1`, [id]);
  await setReviewer((await released()).id, "gen_random_uuid()");
  await setReviewer((await released()).id, "(select id from api_key order by created_at limit 1)");
  const all = (await list()).reviewers as ReviewerScore[];
  expect(all.map(({ reviewer_id }) => reviewer_id)).toEqual(all.map(({ reviewer_id }) => reviewer_id).toSorted());
  expect(all).toHaveLength(4);
  expect(all.filter(({ name }) => name === null)).toHaveLength(1);
  const paged: ReviewerScore[] = [];
  for (let cursor = ""; ; ) {
    const page = await list(`&limit=1${cursor}`);
    paged.push(...page.reviewers);
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  expect(paged).toEqual(all);
});

test("only supervisors and keys see reviewers; restricted keys see those of their campaigns", async () => {
  for (const [by, status] of [
    [agent, 403],
    [reviewer, 403],
    [supervisor, 200],
    [tests.admin, 200],
  ] as const)
    expect((await by.ask("GET", `/scores/reviewers?${period}`)).status).toBe(status);
  await supervisor.ask("POST", "/campaigns", { id: "other", name: "Other" });
  const elsewhere = openJsonClient(service, await service.restrictedKey("other"));
  expect((await elsewhere("GET", `/scores/reviewers?${period}`)).body.reviewers).toEqual([]);
  expect((await elsewhere("GET", `/scores/coverage?${period}`)).status).toBe(403);
});

test("with more reviews in the period than are read, the numbers are of its latest calls", async () => {
  const filter = scoreFilterOf(service.caller, { from: period.slice(5, 15), to: period.slice(19) });
  const all = await listReviewers(service.app, filter, { limit: 200 });
  const { rows } = await admin.query(
    "select call_id, state = 'released' and selection in ('drawn', 'picked') as counts from review order by call_id desc",
  );
  expect(all.calls_after).toBeNull();
  for (const mostReviews of [3, 5]) {
    const read = await listReviewers(service.app, filter, { limit: 200, mostReviews });
    expect(Date.parse(read.calls_after ?? "")).toBeGreaterThan(at - week);
    expect(read.reviewers.reduce((sum, { reviews }) => sum + reviews, 0)).toBe(
      rows.filter(({ counts, call_id }) => counts && call_id > rows[mostReviews].call_id).length,
    );
  }
  expect((await listReviewers(service.app, filter, { limit: 200, mostReviews: rows.length })).calls_after).toBeNull();
});
