import type { ReviewDetailBody } from "@hearback/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../support/http/http.ts";
import { type Ask, openReviewTests, type Person, type ReviewTests } from "./support/review-tests.ts";

/*
 * Every action on a review, in every state, by everyone: the table of docs/signing-in.md and the states of docs/reviews.md.
 * Written by hand, so that a change of a rule is a change of this file.
 */
const states = ["draft", "submitted", "released", "voided"] as const;
type State = (typeof states)[number];
const callers = [
  "agent",
  "otherAgent",
  "reviewer",
  "otherReviewer",
  "supervisor",
  "admin",
  "reviewKey",
  "readKey",
] as const;
type CallerName = (typeof callers)[number];
type Statuses = Readonly<Record<CallerName, number>>;

interface Review {
  readonly id: string;
  readonly number: number;
}
type Act = (ask: Ask, review: Review) => Promise<Answer>;
const post =
  (action: string, body?: unknown): Act =>
  (ask, { id }) =>
    ask("POST", `/reviews/${id}/${action}`, body === undefined ? {} : { body });
const items = [{ question_id: "greeting", proposed: { value: "yes" }, reason: "At 0:04." }];

const actions: Readonly<Record<string, Act>> = {
  see: (ask, { id }) => ask("GET", `/reviews/${id}`),
  answer: (ask, { id, number }) =>
    ask("PUT", `/reviews/${id}/answers/greeting`, { body: { value: "yes" }, ifMatch: number }),
  submit: (ask, { id, number }) => ask("POST", `/reviews/${id}/submit`, { ifMatch: number }),
  discard: (ask, { id }) => ask("DELETE", `/reviews/${id}`),
  reopen: post("reopen"),
  release: post("release"),
  correct: post("correct", { answers: { greeting: { value: "yes" } }, reason: "Heard again." }),
  void: post("void", { reason: "Wrong agent." }),
  acknowledge: post("acknowledge", {}),
  dispute: post("disputes", { items }),
};

/** The author acts on their own; all who see everything are told that it is not theirs; others see nothing. */
const byAuthor = (status: number): Statuses => ({
  ...{ agent: 403, otherAgent: 403, reviewer: status, otherReviewer: 404 },
  ...{ supervisor: 403, admin: 403, reviewKey: 403, readKey: 403 },
});
const byManagers = (status: number): Statuses => ({
  ...{ agent: 403, otherAgent: 403, reviewer: 403, otherReviewer: 403 },
  ...{ supervisor: status, admin: status, reviewKey: status, readKey: 403 },
});
const byAuthorOrManagers = (status: number): Statuses => ({
  ...byManagers(status),
  ...{ reviewer: status, otherReviewer: 404 },
});
const byAgent = (status: number): Statuses => ({
  ...{ agent: status, otherAgent: 404, reviewer: 403, otherReviewer: 403 },
  ...{ supervisor: 403, admin: 403, reviewKey: 403, readKey: 403 },
});
const seen = (agent: number, readKey: number): Statuses => ({
  ...{ agent, otherAgent: 404, reviewer: 200, otherReviewer: 404 },
  ...{ supervisor: 200, admin: 200, reviewKey: 200, readKey },
});

const expected: Readonly<Record<State, Readonly<Record<string, Statuses>>>> = {
  draft: {
    see: seen(404, 404),
    answer: byAuthor(200),
    submit: byAuthor(200),
    discard: byAuthor(204),
    reopen: byAuthorOrManagers(409),
    release: byManagers(409),
    correct: byManagers(409),
    void: byManagers(409),
    acknowledge: byAgent(404),
    dispute: byAgent(404),
  },
  submitted: {
    see: seen(404, 200),
    answer: byAuthor(409),
    submit: byAuthor(409),
    discard: byAuthor(409),
    reopen: byAuthorOrManagers(200),
    release: byManagers(200),
    correct: byManagers(200),
    void: byManagers(200),
    acknowledge: byAgent(404),
    dispute: byAgent(404),
  },
  released: {
    see: seen(200, 200),
    answer: byAuthor(409),
    submit: byAuthor(409),
    discard: byAuthor(409),
    reopen: byAuthorOrManagers(409),
    release: byManagers(409),
    correct: byManagers(200),
    void: byManagers(200),
    acknowledge: byAgent(200),
    dispute: byAgent(201),
  },
  voided: {
    see: seen(200, 200),
    answer: byAuthor(409),
    submit: byAuthor(409),
    discard: byAuthor(409),
    reopen: byAuthorOrManagers(409),
    release: byManagers(409),
    correct: byManagers(409),
    void: byManagers(409),
    acknowledge: byAgent(409),
    dispute: byAgent(409),
  },
};

let tests: ReviewTests;
let asks: Readonly<Record<CallerName, Ask>>;
let agent: Person;
let reviewer: Person;
let supervisor: Person;
beforeAll(async () => {
  tests = await openReviewTests();
  [agent, reviewer, supervisor] = await Promise.all([
    tests.person("agent"),
    tests.person("reviewer"),
    tests.person("supervisor"),
  ]);
  asks = {
    agent: agent.ask,
    otherAgent: (await tests.person("agent")).ask,
    reviewer: reviewer.ask,
    otherReviewer: (await tests.person("reviewer")).ask,
    supervisor: supervisor.ask,
    admin: (await tests.person("admin")).ask,
    reviewKey: await tests.key("review"),
    readKey: await tests.key("read"),
  };
}, 180_000);
afterAll(() => tests?.close());

/** A new review in this state, with every question answered. */
async function reviewIn(state: State, by = reviewer): Promise<Review> {
  const body = { call_id: await tests.importFor(agent), scorecard_id: tests.scorecardId };
  const { id } = (await by.ask<ReviewDetailBody>("POST", "/reviews", { body })).body;
  for (const [index, question] of ["greeting", "identity"].entries())
    await by.ask("PUT", `/reviews/${id}/answers/${question}`, { body: { value: "no" }, ifMatch: 1 + index });
  if (state !== "draft") await by.ask("POST", `/reviews/${id}/submit`, { ifMatch: 3 });
  if (state === "released" || state === "voided") await supervisor.ask("POST", `/reviews/${id}/release`);
  if (state === "voided") await supervisor.ask("POST", `/reviews/${id}/void`, { body: { reason: "Wrong agent." } });
  const { number, state: reached } = (await supervisor.ask<ReviewDetailBody>("GET", `/reviews/${id}`)).body;
  expect(reached).toBe(state);
  // An answer that was given already does not conflict; a submission with an old number must not look repeated.
  return { id, number: state === "draft" ? number : number + 7 };
}

describe.each(states)("%s", (state) => {
  test.each(Object.keys(actions))("%s", async (name) => {
    const act = actions[name];
    const statuses = expected[state][name];
    if (!act || !statuses) throw new Error("not in the table");
    // First those who are refused: one review serves them all.
    const ordered = [...callers].sort((one, other) => statuses[other] - statuses[one]);
    let review: Review | undefined;
    const found: Record<string, number> = {};
    for (const caller of ordered) {
      review ??= await reviewIn(state);
      const { status } = await act(asks[caller], review);
      found[caller] = status;
      if (status < 300 && name !== "see") review = undefined;
    }
    expect(found).toEqual(statuses);
  });
});

test("reviewers see the reviews of others after submitting their own for the same call", async () => {
  const { id } = await reviewIn("released");
  const { call_id } = (await supervisor.ask<ReviewDetailBody>("GET", `/reviews/${id}`)).body;
  const other = await tests.person("reviewer");
  const body = { call_id, scorecard_id: tests.scorecardId };
  const own = (await other.ask<ReviewDetailBody>("POST", "/reviews", { body })).body.id;
  expect((await other.ask("GET", `/reviews/${id}`)).status).toBe(404);
  await other.ask("PUT", `/reviews/${own}/answers/greeting`, { body: { value: "yes" }, ifMatch: 1 });
  await other.ask("PUT", `/reviews/${own}/answers/identity`, { body: { value: "yes" }, ifMatch: 2 });
  await other.ask("POST", `/reviews/${own}/submit`, { ifMatch: 3 });
  expect((await other.ask("GET", `/reviews/${id}`)).status).toBe(200);
});

test("a dispute is decided by its arbiter or a supervisor, never by the reviewer or the agent", async () => {
  const arbiter = await tests.person("reviewer");
  const arbiters = (ids: readonly string[]) =>
    tests.byKey("PATCH", `/scorecards/${tests.scorecardId}`, { body: { arbiter_ids: ids } });
  await arbiters([arbiter.id]);
  const decide = (ask: Ask, id: string) =>
    ask("POST", `/disputes/${id}/resolve`, {
      body: { items: [{ question_id: "greeting", decision: "upheld", explanation: "Heard again." }] },
    });
  const disputeOf = async (review: Review) =>
    (await agent.ask<{ id: string; arbiter_id: string }>("POST", `/reviews/${review.id}/disputes`, { body: { items } }))
      .body;
  const dispute = await disputeOf(await reviewIn("released"));
  expect(dispute.arbiter_id).toBe(arbiter.id);
  expect((await decide(agent.ask, dispute.id)).status).toBe(403);
  expect((await decide(reviewer.ask, dispute.id)).status).toBe(403);
  expect((await decide(asks.otherReviewer, dispute.id)).status).toBe(404);
  expect((await decide(arbiter.ask, dispute.id)).status).toBe(200);
  await arbiters([]);
  // A supervisor who wrote the review does not decide about it.
  const own = await disputeOf(await reviewIn("released", supervisor));
  expect(own.arbiter_id).not.toBe(supervisor.id);
  expect((await decide(supervisor.ask, own.id)).status).toBe(403);
  expect((await decide(asks.admin, own.id)).status).toBe(200);
});
