import type {
  CalibrationAnswersBody,
  CalibrationDetailBody,
  CalibrationResultsBody,
  ReviewDetailBody,
} from "@hearback/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ask, openReviewTests, type Person, type ReviewTests } from "../scoring/support/review-tests.ts";
import { boundedEnds } from "../support/data/bounded-interval.ts";

/*
 * A calibration session of three people and ten calls: nobody sees the answers of others while it is open, and the results
 * are those that this file calculates by its own formulas.
 */

/** Answers to the greeting and the identity, by call: of the reviewer, of another one, and of the supervisor. */
const given = [
  ["yes yes", "yes yes", "yes yes"],
  ["yes no", "yes no", "yes yes"],
  ["no yes", "no yes", "no yes"],
  ["no no", "yes no", "no no"],
  ["n/a yes", "n/a yes", "n/a yes"],
  ["n/a no", "yes no", "yes no"],
  ["yes yes", "no yes", "no no"],
  ["no yes", "no no", "no yes"],
  ["yes no", "yes no", "no no"],
  ["no no", "no no", "no yes"],
].map((call) => call.map((answers) => answers.split(" ") as [string, string]));

/** 40 for the greeting, 60 for the identity; without the greeting, the identity alone. In hundredths. */
const scoreOf = ([greeting, identity]: readonly [string, string]) => {
  const ofIdentity = identity === "yes" ? 60 : 0;
  return greeting === "n/a" ? (ofIdentity / 60) * 10_000 : (ofIdentity + (greeting === "yes" ? 40 : 0)) * 100;
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
/** Share of equal ones among the pairs of a call. */
const pairsEqual = (answers: readonly string[]) => {
  const pairs = answers.flatMap((one, at) => answers.slice(at + 1).map((other) => Number(one === other)));
  return mean(pairs);
};
/** Nominal α from all pairs, as Krippendorff defines it: observed against expected disagreement. */
function alphaOf(calls: readonly (readonly string[])[]): number {
  const compared = calls.filter((answers) => answers.length >= 2);
  const all = compared.flat();
  const observed = sumOf(compared.map((answers) => answers.length * (1 - pairsEqual(answers)))) / all.length;
  return 1 - observed / (1 - pairsEqual(all));
}
function ac1Of(calls: readonly (readonly string[])[], categories: readonly string[]): number {
  const rated = calls.filter((answers) => answers.length > 0);
  const raw = mean(rated.filter((answers) => answers.length >= 2).map(pairsEqual));
  const shares = categories.map((category) =>
    mean(rated.map((answers) => mean(answers.map((one) => Number(one === category))))),
  );
  const chance = sumOf(shares.map((share) => share * (1 - share))) / (categories.length - 1);
  return (raw - chance) / (1 - chance);
}
/** From the two-way table of scores, by sums of squares over the cells. */
function iccOf(table: readonly (readonly number[])[]): number {
  const [n, k] = [table.length, table[0]?.length ?? 0];
  const overall = mean(table.flat());
  const rows = table.map(mean);
  const columns = Array.from({ length: k }, (_, at) => mean(table.map((row) => row[at] ?? 0)));
  const calls = (k * sumOf(rows.map((value) => (value - overall) ** 2))) / (n - 1);
  const raters = (n * sumOf(columns.map((value) => (value - overall) ** 2))) / (k - 1);
  const residuals = table.flatMap((row, i) =>
    row.map((value, j) => (value - (rows[i] ?? 0) - (columns[j] ?? 0) + overall) ** 2),
  );
  const rest = sumOf(residuals) / ((n - 1) * (k - 1));
  return (calls - rest) / (calls + (k - 1) * rest + (k * (raters - rest)) / n);
}

let tests: ReviewTests;
let agent: Person;
let people: readonly Person[];
let outsiders: Readonly<Record<string, Ask>>;
let supervisor: Person;
let sessionId: string;
const callIds: string[] = [];
/** Reviews by call and person. */
const reviewIds: string[][] = [];

beforeAll(async () => {
  tests = await openReviewTests();
  agent = await tests.person("agent");
  const [reviewer, other] = [await tests.person("reviewer"), await tests.person("reviewer")];
  supervisor = await tests.person("supervisor");
  people = [reviewer, other, supervisor];
  outsiders = {
    agent: agent.ask,
    outsider: (await tests.person("reviewer")).ask,
    admin: (await tests.person("admin")).ask,
    readKey: await tests.key("read"),
    reviewKey: await tests.key("review"),
    allKey: tests.byKey,
  };
  for (const _ of given) callIds.push(await tests.importFor(agent));
  const { body, status, text } = await supervisor.ask<CalibrationDetailBody>("POST", "/calibrations", {
    body: {
      name: "November",
      scorecard_id: tests.scorecardId,
      call_ids: callIds,
      participant_ids: people.map(({ id }) => id),
    },
  });
  if (status !== 201) throw new Error(text);
  sessionId = body.id;
}, 120_000);
afterAll(() => tests?.close());

const answerOf = (value: string) => (value === "n/a" ? { not_applicable: true } : { value });

test("three people score ten calls", async () => {
  await Promise.all(
    people.map(async ({ ask }, who) => {
      for (const [at, call_id] of callIds.entries()) {
        const started = await ask<ReviewDetailBody>("POST", "/reviews", {
          body: { call_id, calibration_id: sessionId },
        });
        expect(started.status, started.text).toBe(201);
        const root = `/reviews/${started.body.id}`;
        const [greeting = "", identity = ""] = given[at]?.[who] ?? [];
        const comment = `secret ${who}`;
        await ask("PUT", `${root}/answers/greeting`, { body: { ...answerOf(greeting), comment }, ifMatch: 1 });
        await ask("PUT", `${root}/answers/identity`, { body: answerOf(identity), ifMatch: 2 });
        const sent = await ask<ReviewDetailBody>("POST", `${root}/submit`, { ifMatch: 3 });
        expect(sent.body, sent.text).toMatchObject({ state: "submitted", score: scoreOf([greeting, identity]) });
        const ofCall = reviewIds[at] ?? [];
        ofCall[who] = started.body.id;
        reviewIds[at] = ofCall;
      }
    }),
  );
  const { body } = await supervisor.ask<CalibrationDetailBody>("GET", `/calibrations/${sessionId}`);
  expect(body).toMatchObject({ submitted: 30, state: "open" });
  expect(body.progress.map(({ submitted }) => submitted)).toEqual([10, 10, 10]);
});

test("while it is open, nobody sees the reviews of others", async () => {
  const [callId = ""] = callIds;
  const paths = [
    "/reviews",
    `/reviews?call_id=${callId}`,
    `/reviews?scorecard_id=${tests.scorecardId}`,
    "/reviews?state=submitted",
    "/reviews?outcome=failed",
    "/reviews/export?format=jsonl&rows=reviews",
    "/reviews/export?format=jsonl&rows=answers",
    "/reviews/export?format=csv&rows=answers",
    "/calls?reviewed=true",
    "/calls?review_outcome=failed",
    "/calls?max_score=100",
    "/calls/export?format=jsonl",
    `/calibrations/${sessionId}`,
    `/calibrations/${sessionId}/results`,
    `/calibrations/${sessionId}/answers/greeting`,
    `/agreement?scorecard_id=${tests.scorecardId}`,
    "/events?limit=500",
    "/audit?limit=200",
  ];
  const callers: Readonly<Record<string, Ask>> = {
    ...outsiders,
    ...Object.fromEntries(people.map(({ ask }, who) => [String(who), ask])),
  };
  for (const [name, ask] of Object.entries(callers)) {
    const others = people.map((_, who) => who).filter((who) => String(who) !== name);
    for (const path of paths) {
      const { text, status } = await ask("GET", path);
      expect([200, 403, 404, 409], `${name} ${path}`).toContain(status);
      for (const who of others) expect(text, `${name} ${path}`).not.toContain(`secret ${who}`);
      // Lists of events and of the audit log have ids, and neither answers nor scores.
      if (/^.(reviews|calls)/.test(path))
        for (const who of others) expect(text, `${name} ${path}`).not.toContain(reviewIds[0]?.[who]);
      if (path.startsWith("/calls?")) expect(text, `${name} ${path}`).not.toContain(callId);
      if (path.startsWith("/calls/export")) expect(text, `${name} ${path}`).not.toMatch(/"outcome"/);
    }
    for (const who of others) {
      const hidden = `/reviews/${reviewIds[0]?.[who]}`;
      expect((await ask("GET", hidden)).status, `${name} ${hidden}`).toBe(404);
      for (const [action, body] of [
        ["release", undefined],
        ["reopen", undefined],
        ["void", { reason: "R" }],
        ["correct", { answers: { greeting: { value: "no" } }, reason: "R" }],
      ] as const) {
        const { status } = await ask("POST", `${hidden}/${action}`, body && { body });
        expect([403, 404], `${name} ${action}`).toContain(status);
      }
    }
    const own = people.findIndex((_, who) => String(who) === name);
    if (own >= 0) expect((await ask("GET", `/reviews/${reviewIds[0]?.[own]}`)).status).toBe(200);
  }
});

test("after the close, the results are those of the formulas", async () => {
  expect((await supervisor.ask("POST", `/calibrations/${sessionId}/close`)).status).toBe(200);
  const { body } = await supervisor.ask<CalibrationResultsBody>("GET", `/calibrations/${sessionId}/results`);
  const table = given.map((call) => call.map(scoreOf));
  expect(body.calls.map(({ call_id }) => call_id)).toEqual(callIds);
  for (const [at, { scores, reference_score }] of body.calls.entries()) {
    const byPerson = people.map(({ id }) => scores.find(({ user_id }) => user_id === id)?.score);
    expect(byPerson).toEqual(table[at]);
    expect(reference_score).toBe(table[at]?.toSorted((a, b) => a - b)[1]);
  }
  expect(body.reference).toBe("median");
  expect(body.icc).toBeCloseTo(iccOf(table), 10);
  expect(body.no_icc).toBeNull();
  for (const [who, { id }] of people.entries()) {
    const differences = table.map((row) => (row[who] ?? 0) - (row.toSorted((a, b) => a - b)[1] ?? 0));
    const person = body.participants.find(({ user_id }) => user_id === id);
    expect(person?.calls).toBe(10);
    expect(person?.distance).toBeCloseTo(mean(differences.map(Math.abs)), 8);
    expect(person?.bias).toBeCloseTo(mean(differences), 8);
  }
  const answersTo = (question: 0 | 1) => given.map((call) => call.map((answers) => answers[question]));
  const greeting = answersTo(0).map((answers) => answers.filter((one) => one !== "n/a"));
  const applicable = answersTo(0).map((answers) => answers.map((one) => (one === "n/a" ? "no" : "yes")));
  const [first, second] = body.questions;
  for (const [shown, calls] of [
    [first?.answer, greeting],
    [first?.applicability, applicable],
    [second?.answer, answersTo(1)],
  ] as const) {
    const compared = calls.filter((answers) => answers.length >= 2);
    expect(shown?.calls).toBe(compared.length);
    expect(shown?.too_few).toBe(compared.length < 8);
    expect(shown?.raw.value).toBeCloseTo(mean(compared.map(pairsEqual)), 10);
    expect(shown?.alpha.value).toBeCloseTo(alphaOf(calls), 10);
    expect(shown?.ac.value).toBeCloseTo(ac1Of(calls, ["yes", "no"]), 10);
    // Jackknife over calls, from the definition.
    const left = compared.map((_, at) => mean(compared.toSpliced(at, 1).map(pairsEqual)));
    const spread = sumOf(left.map((value) => (value - mean(left)) ** 2));
    const t = { 9: 2.306_004_14, 10: 2.262_157_16 }[compared.length] ?? Number.NaN;
    const error = Math.sqrt(((left.length - 1) / left.length) * spread);
    const [low, high] = boundedEnds(shown?.raw.value ?? 0, error, t);
    expect(shown?.raw.low).toBeCloseTo(low, 6);
    expect(shown?.raw.high).toBeCloseTo(high, 6);
    expect(shown?.alpha).toMatchObject({ low: null, high: null });
  }
  const answers = await supervisor.ask<CalibrationAnswersBody>("GET", `/calibrations/${sessionId}/answers/greeting`);
  for (const [at, call] of answers.body.calls.entries())
    for (const [who, { id }] of people.entries())
      expect(call.answers.find(({ user_id }) => user_id === id)?.answer).toEqual({
        ...answerOf(given[at]?.[who]?.[0] ?? ""),
        comment: `secret ${who}`,
      });
});

test("after the close, the agent still sees nothing and nothing waits for release", async () => {
  for (const path of ["/reviews", "/calls?limit=100"]) {
    const { text } = await agent.ask("GET", path);
    for (const id of reviewIds.flat()) expect(text).not.toContain(id);
  }
  expect((await agent.ask("GET", `/reviews/${reviewIds[0]?.[0]}`)).status).toBe(404);
  const { body } = await supervisor.ask<{ to_release: number }>("GET", "/reviews/waiting");
  expect(body.to_release).toBe(0);
});
