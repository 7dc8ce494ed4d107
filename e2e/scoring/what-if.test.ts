import type { ReviewDetailBody, WhatIfBody } from "@hearback/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReviewTests, type Person, type ReviewTests, scorecardDocument } from "./support/review-tests.ts";

/*
 * A what-if run predicts the scores that the same answers get once the draft is published.
 */

const given = [
  ["yes", "yes"],
  ["yes", "no"],
  ["no", "yes"],
  ["n/a", "yes"],
] as const;

let tests: ReviewTests;
let agent: Person;
let supervisor: Person;

beforeAll(async () => {
  tests = await openReviewTests();
  agent = await tests.person("agent");
  supervisor = await tests.person("supervisor");
  await tests.stack.startWorker();
}, 60_000);
afterAll(() => tests?.close());

const answerOf = (value: string) => (value === "n/a" ? { not_applicable: true } : { value });

/** Scores the answers on the version that is the latest now. */
async function review([greeting, identity]: (typeof given)[number]): Promise<ReviewDetailBody> {
  const { ask } = supervisor;
  const call_id = await tests.importFor(agent);
  const started = await ask<ReviewDetailBody>("POST", "/reviews", {
    body: { call_id, scorecard_id: tests.scorecardId },
  });
  const root = `/reviews/${started.body.id}`;
  await ask("PUT", `${root}/answers/greeting`, { body: answerOf(greeting), ifMatch: 1 });
  await ask("PUT", `${root}/answers/identity`, { body: answerOf(identity), ifMatch: 2 });
  const submitted = await ask<ReviewDetailBody>("POST", `${root}/submit`, { ifMatch: 3 });
  expect(submitted.status, submitted.text).toBe(200);
  await ask("POST", `${root}/release`);
  return submitted.body;
}

async function waitForEnd(id: string): Promise<WhatIfBody> {
  for (;;) {
    const { body } = await supervisor.ask<WhatIfBody>("GET", `/what-ifs/${id}`);
    if (body.state !== "queued" && body.state !== "running") return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const mean = (reviews: readonly ReviewDetailBody[]) =>
  Math.round(reviews.reduce((sum, { score }) => sum + (score ?? 0), 0) / reviews.length);

test("a run predicts the scores of the changed scorecard", async () => {
  const before: ReviewDetailBody[] = [];
  for (const answers of given) before.push(await review(answers));
  const [section] = scorecardDocument.sections;
  const [greeting, identity] = section.questions;
  const questions = [
    { ...greeting, weight: 10 },
    { ...identity, weight: 90 },
  ];
  const document = { ...scorecardDocument, sections: [{ ...section, questions }] };
  await supervisor.ask("PUT", `/scorecards/${tests.scorecardId}/draft`, { body: { document } });
  const started = await supervisor.ask<WhatIfBody>("POST", `/scorecards/${tests.scorecardId}/what-if`, {
    body: { from: "2026-01-01T00:00:00Z" },
  });
  expect(started.status, started.text).toBe(202);
  const { state, result } = await waitForEnd(started.body.id);
  expect(state).toBe("done");

  const published = await supervisor.ask("POST", `/scorecards/${tests.scorecardId}/publish`);
  expect(published.status, published.text).toBe(201);
  const after: ReviewDetailBody[] = [];
  for (const answers of given) after.push(await review(answers));
  const failing = before.filter(({ outcome }, index) => outcome === "failed" && after[index]?.outcome === "passed");
  expect(failing).toHaveLength(1);
  expect(result).toMatchObject({
    reviews: given.length,
    not_comparable: 0,
    before: { mean: mean(before) },
    after: { mean: mean(after) },
    passed_to_failed: 0,
    failed_to_passed: 1,
    crossings: failing.map(({ id, call_id }) => ({ review_id: id, call_id, to: "passed" })),
  });
}, 60_000);
