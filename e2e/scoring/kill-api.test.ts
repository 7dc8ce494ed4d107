import { setTimeout as sleep } from "node:timers/promises";
import type { ReviewDetailBody } from "@hearback/contract";
import type { Answers } from "@hearback/scoring/answers";
import { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../support/http/http.ts";
import { full, random, seed } from "../support/run-scale.ts";
import { type ApiProcess, freePort } from "../support/stack/stack.ts";
import { say, until } from "../support/waiting.ts";
import { openReviewTests, type Person, type ReviewTests, scorecardDocument } from "./support/review-tests.ts";

const kills = full ? 200 : 8;
const reviewers = 8;
const longestLifeMs = 900;
const chance = random();

let tests: ReviewTests;
let api: ApiProcess;
let port: number;
beforeAll(async () => {
  port = await freePort();
  tests = await openReviewTests(port);
  api = tests.api;
}, 120_000);
afterAll(() => tests?.close());

/** What the service has acknowledged about one review. */
interface Acknowledged {
  readonly answers: Record<string, unknown>;
  isSubmitted: boolean;
  isReleased: boolean;
  isDisputed: boolean;
  isResolved: boolean;
}
const acknowledged = new Map<string, Acknowledged>();
const unexpected: string[] = [];
let isOver = false;

/** Repeats a request until the service answers. */
async function persist<Body>(request: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
  for (;;) {
    const answer = await request().catch(() => undefined);
    if (answer && answer.status !== 503 && answer.status !== 0) return answer;
    await sleep(20 + chance() * 60);
  }
}

/** Records an answer that a repeated request cannot explain. */
function expectStatus({ status, text }: Answer<unknown>, ...allowed: number[]): void {
  if (!allowed.includes(status)) unexpected.push(`${status} ${text}`);
}

/** Reviews one call after the other: every answer is changed once. */
async function reviewCalls({ ask }: Person, agent: Person): Promise<void> {
  while (!isOver) {
    const call_id = await tests.importFor(agent).catch(() => undefined);
    if (!call_id) continue;
    const body = { call_id, scorecard_id: tests.scorecardId };
    const started = await persist(() => ask<ReviewDetailBody>("POST", "/reviews", { body }));
    expectStatus(started, 200, 201);
    const { id } = started.body;
    const known: Acknowledged = {
      answers: {},
      isSubmitted: false,
      isReleased: false,
      isDisputed: false,
      isResolved: false,
    };
    acknowledged.set(id, known);
    let { number } = started.body;
    for (const [question, value] of [
      ["greeting", "yes"],
      ["identity", "yes"],
      ["greeting", "no"],
    ] as const) {
      const answer = { value, comment: `Answer ${number}` };
      const saved = await persist(() =>
        ask<{ number: number }>("PUT", `/reviews/${id}/answers/${question}`, { body: answer, ifMatch: number }),
      );
      expectStatus(saved, 200);
      known.answers[question] = answer;
      number = saved.body.number;
    }
    const submitted = await persist(() => ask("POST", `/reviews/${id}/submit`, { ifMatch: number }));
    expectStatus(submitted, 200);
    known.isSubmitted = true;
  }
}

/** Releases what was submitted, and decides disputes. */
async function supervise({ ask }: Person): Promise<void> {
  while (!isOver) {
    for (const [id, known] of [...acknowledged]) {
      if (isOver) return;
      if (known.isSubmitted && !known.isReleased) {
        // 409: an earlier attempt succeeded.
        expectStatus(await persist(() => ask("POST", `/reviews/${id}/release`)), 200, 409);
        known.isReleased = true;
      }
      if (known.isDisputed && !known.isResolved) await decide(ask, id, known);
    }
    await sleep(20);
  }
}

async function decide(ask: Person["ask"], reviewId: string, known: Acknowledged): Promise<void> {
  const listed = await persist(() => ask<{ disputes: { id: string }[] }>("GET", `/disputes?review_id=${reviewId}`));
  const [dispute] = listed.body.disputes;
  if (dispute) {
    const items = [{ question_id: "greeting", decision: "changed", explanation: "Heard again." }];
    expectStatus(await persist(() => ask("POST", `/disputes/${dispute.id}/resolve`, { body: { items } })), 200, 409);
  }
  known.isResolved = true;
}

/** Acknowledges and disputes every other released review. */
async function respond({ ask }: Person): Promise<void> {
  let turn = 0;
  const done = new Set<string>();
  while (!isOver) {
    for (const [id, known] of [...acknowledged]) {
      if (isOver) return;
      if (!known.isReleased || done.has(id)) continue;
      done.add(id);
      expectStatus(await persist(() => ask("POST", `/reviews/${id}/acknowledge`, { body: {} })), 200);
      if (turn++ % 2 === 0) continue;
      const items = [{ question_id: "greeting", proposed: { value: "yes" }, reason: "At 0:04." }];
      expectStatus(await persist(() => ask("POST", `/reviews/${id}/disputes`, { body: { items } })), 201, 409);
      known.isDisputed = true;
    }
    await sleep(20);
  }
}

test(`${kills} kills of the API lose or double no answer, submission, release or decision`, {
  timeout: 1_800_000,
}, async () => {
  say(`seed ${seed}`);
  const agent = await tests.person("agent");
  const supervisor = await tests.person("supervisor");
  const people = await Promise.all(Array.from({ length: reviewers }, () => tests.person("reviewer")));
  const work = [...people.map((person) => reviewCalls(person, agent)), supervise(supervisor), respond(agent)];
  for (let kill = 0; kill < kills; kill++) {
    await sleep(chance() * longestLifeMs);
    await api.kill();
    api = await tests.stack.startApi({ port });
  }
  const count = (what: (known: Acknowledged) => boolean) => [...acknowledged.values()].filter(what).length;
  await until("disputes are decided", 120_000, () => count((known) => known.isResolved) >= 3);
  isOver = true;
  await Promise.all(work);
  say(
    `${kills} kills: ${acknowledged.size} reviews, ${count((known) => known.isSubmitted)} submitted, ` +
      `${count((known) => known.isReleased)} released, ${count((known) => known.isResolved)} disputes decided`,
  );
  expect(unexpected).toEqual([]);
  expect(count((known) => known.isSubmitted)).toBeGreaterThan(reviewers);
  expect(await findDifferences()).toEqual([]);
});

interface Stored {
  readonly id: string;
  readonly state: string;
  readonly revision: number;
  readonly score: number | null;
  readonly draft: Answers | null;
  readonly revisions: { number: number; score: number; answers: Answers; result: { score: number } }[];
  readonly comments: number;
  readonly disputes: string[];
  readonly events: string[];
}

/** Compares everything that was acknowledged with the database, and the stored results with a recomputation. */
async function findDifferences(): Promise<string[]> {
  const { rows } = await tests.stack.adminDb.query<Stored>(`
    select id, state, revision, score,
      (select answers from review_draft as d where d.review_id = review.id) as draft,
      (select coalesce(json_agg(json_build_object('number', number, 'score', r.score, 'answers', answers, 'result', result)
        order by number), '[]') from review_revision as r where r.review_id = review.id) as revisions,
      (select count(*)::int from review_comment as c where c.review_id = review.id and revision = 1) as comments,
      (select coalesce(json_agg(state), '[]') from dispute where dispute.review_id = review.id) as disputes,
      (select coalesce(json_agg(type order by xid, seq), '[]') from event where data ->> 'review_id' = review.id::text) as events
    from review`);
  const document = ScorecardDocument.parse(scorecardDocument);
  return rows.flatMap((row) => {
    const known = acknowledged.get(row.id);
    const [first] = row.revisions;
    const problems = {
      "an acknowledged submission is missing": known?.isSubmitted === true && !first,
      "an acknowledged release is missing": known?.isReleased === true && row.state !== "released",
      "a dispute is missing or doubled": known?.isDisputed === true && row.disputes.length !== 1,
      "a decision is missing": known?.isResolved === true && row.disputes[0] !== "resolved",
      "a revision is missing or doubled":
        row.revision !== row.revisions.length || row.revisions.some(({ number }, at) => number !== at + 1),
      "the score is not that of the latest revision": (row.revisions.at(-1)?.score ?? null) !== row.score,
      "a result is not what the formula gives": row.revisions.some(
        ({ answers, result }) => calculateResult(document, answers).score !== result.score,
      ),
      "an event is doubled": new Set(row.events).size !== row.events.length,
      "an event is missing":
        (first !== undefined && !row.events.includes("review.submitted")) ||
        (row.state === "released" && !row.events.includes("review.released")) ||
        (row.disputes[0] === "resolved" && !row.events.includes("review.resolved")),
      "an acknowledged answer is missing": Object.entries(known?.answers ?? {}).some(([question, answer]) => {
        const stored = (first ? first.answers : row.draft)?.[question];
        return stored?.value !== (answer as { value: string }).value;
      }),
      "an acknowledged comment is missing": first !== undefined && row.comments !== 2,
    };
    return Object.entries(problems).flatMap(([problem, isTrue]) => (isTrue ? [`${row.id}: ${problem}`] : []));
  });
}
