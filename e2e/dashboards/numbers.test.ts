import type {
  AgentScorePageBody,
  OwnScoresBody,
  ReviewDetailBody,
  ReviewerScorePageBody,
  ScoresOverviewBody,
} from "@hearback/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReviewTests, type Person, type ReviewTests } from "../scoring/support/review-tests.ts";
import { boundedEnds, wilsonEnds } from "../support/data/bounded-interval.ts";
import { importCall } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";

/* The scores of sixteen reviews, compared with the formulas of docs/statistics.md applied to the answers in this file. */

/** Answers to the greeting and the identity, by agent. The first two of each agent are two weeks old. */
const given = [
  ["yes yes", "yes no", "no yes", "yes yes"],
  ["no no", "n/a yes", "no yes", "no no"],
  ["yes yes", "yes yes", "n/a no", "yes yes"],
  ["no yes", "yes yes", "no yes", "no no"],
].map((agent) => agent.map((answers) => answers.split(" ") as [string, string]));

/** 40 for the greeting, 60 for the identity; without the greeting, the identity alone. In hundredths. */
const scoreOf = ([greeting, identity]: readonly [string, string]) => {
  const ofIdentity = identity === "yes" ? 60 : 0;
  return greeting === "n/a" ? (ofIdentity / 60) * 10_000 : (ofIdentity + (greeting === "yes" ? 40 : 0)) * 100;
};

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]) => sumOf(values) / values.length;
const squares = (values: readonly number[]) => sumOf(values.map((value) => (value - mean(values)) ** 2));
/** From a table of Student's t at 0.975, by degrees of freedom. */
const student: Readonly<Record<number, number>> = {
  3: 3.182_446_3,
  7: 2.364_624_25,
  12: 2.178_812_83,
  15: 2.131_449_55,
};
const percent = (n: number, value: number, [low, high]: readonly [number, number]) => ({
  ...{ n, value: Math.round(value * 10_000), low: Math.round(low * 10_000), high: Math.round(high * 10_000) },
});
const quantile = (degrees: number) => student[degrees] ?? Number.NaN;
function meanEstimate(values: readonly number[]) {
  const [n, value] = [values.length, mean(values) / 10_000];
  const error = Math.sqrt(squares(values) / (n - 1) / n) / 10_000;
  return percent(n, value, boundedEnds(value, error, quantile(n - 1)));
}
const rateEstimate = (k: number, n: number) => percent(n, k / n, wilsonEnds(k / n, n, 1.959_964));
/** Empirical Bayes after Morris with variances of a one-way layout, from the scores themselves. */
function shrunkEstimates(groups: readonly (readonly number[])[]) {
  const all = groups.flat();
  const [N, k] = [all.length, groups.length];
  const within = sumOf(groups.map(squares)) / (N - k);
  const between = sumOf(groups.map((group) => group.length * (mean(group) - mean(all)) ** 2)) / (k - 1);
  const sizes = sumOf(groups.map(({ length }) => length ** 2));
  const tau = Math.max(0, (between - within) / ((N - sizes / N) / (k - 1)));
  return groups.map((group) => {
    const [n, own] = [group.length, mean(group)];
    const noise = within / n;
    const share = (((k - 3) / (k - 1)) * noise) / (noise + tau);
    const value = share * mean(all) + (1 - share) * own;
    const sampling = Math.max(within, squares(group) / (n - 1)) / n;
    const variance = (1 - ((k - 1) / k) * share) * sampling + (2 / (k - 3)) * share ** 2 * (own - mean(all)) ** 2;
    return percent(n, value / 10_000, boundedEnds(value / 10_000, Math.sqrt(variance) / 10_000, quantile(N - k)));
  });
}

const weekMs = 7 * 24 * 3600_000;
const now = Date.now();
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const mondayOf = (ms: number) => dayOf(ms - ((new Date(ms).getUTCDay() + 6) % 7) * (weekMs / 7));
const times = [now - 2 * weekMs, now - 2 * weekMs, now - weekMs, now - weekMs];
const period = `from=${dayOf(now - 3 * weekMs)}&to=${dayOf(now)}`;

let tests: ReviewTests;
let agents: readonly Person[];
let supervisor: Person;

beforeAll(async () => {
  tests = await openReviewTests();
  supervisor = await tests.person("supervisor");
  const reviewer = await tests.person("reviewer");
  agents = [];
  for (const _ of given) agents = [...agents, await tests.person("agent")];
  const expectOk = ({ status, text }: { readonly status: number; readonly text: string }) => {
    if (status >= 300) throw new Error(`${status} ${text}`);
  };
  let seed = 9_000;
  for (const [who, { email }] of agents.entries()) {
    for (const [at, answers] of (given[who] ?? []).entries()) {
      const { id: call_id } = await importCall(tests.service, {
        agent_email: email,
        conversation_timestamp: String(Math.floor((times[at] ?? now) / 1000) + seed),
        file: makeWav({ seed: seed++ }),
      });
      const body = { call_id, scorecard_id: tests.scorecardId };
      const started = await reviewer.ask<ReviewDetailBody>("POST", "/reviews", { body });
      expectOk(started);
      const root = `/reviews/${started.body.id}`;
      for (const [nth, question] of ["greeting", "identity"].entries()) {
        const value = answers[nth] ?? "";
        const answer = value === "n/a" ? { not_applicable: true } : { value };
        expectOk(await reviewer.ask("PUT", `${root}/answers/${question}`, { body: answer, ifMatch: nth + 1 }));
      }
      expectOk(await reviewer.ask("POST", `${root}/submit`, { ifMatch: 3 }));
      expectOk(await supervisor.ask("POST", `${root}/release`));
    }
  }
}, 120_000);
afterAll(() => tests?.close());

test("the overview has the means, rates and intervals of the answers", async () => {
  const { body, text } = await supervisor.ask<ScoresOverviewBody>("GET", `/scores/overview?${period}`);
  const scores = given.flat().map(scoreOf);
  const passed = scores.filter((score) => score >= 8000).length;
  expect(body.score, text).toEqual(meanEstimate(scores));
  expect(body.passed).toEqual(rateEstimate(passed, scores.length));
  expect(body.outcomes).toMatchObject({ passed, failed: scores.length - passed, not_scored: 0 });
  const halves = [0, 2].map((first) => given.flatMap((agent) => agent.slice(first, first + 2).map(scoreOf)));
  expect(body.weeks.map(({ week, reviews, score }) => ({ week, reviews, score }))).toEqual(
    [0, 2].map((first, nth) => ({
      week: mondayOf((Math.floor((times[first] ?? 0) / 1000) + 9_000) * 1000),
      reviews: 8,
      score: meanEstimate(halves[nth] ?? []),
    })),
  );
  for (const [nth, id] of ["greeting", "identity"].entries()) {
    const answers = given.flat().map((pair) => pair[nth]);
    const applicable = answers.filter((answer) => answer !== "n/a");
    const found = body.questions.find((question) => question.id === id);
    expect(found).toMatchObject({
      not_applicable: answers.length - applicable.length,
      failed: rateEstimate(applicable.filter((answer) => answer === "no").length, applicable.length),
    });
    // The list behind the number.
    const path = `/reviews?state=released&failed_question=${id}&called_from=${period.slice(5, 15)}&called_to=${dayOf(now)}`;
    const behind = await supervisor.ask<{ reviews: unknown[] }>("GET", path);
    expect(behind.body.reviews).toHaveLength(answers.filter((answer) => answer === "no").length);
  }
});

test("agents have means that are shrunk to the mean of their group", async () => {
  const { body } = await supervisor.ask<AgentScorePageBody>("GET", `/scores/agents?${period}`);
  const expected = shrunkEstimates(given.map((answers) => answers.map(scoreOf)));
  for (const [who, { id }] of agents.entries()) {
    const found = body.agents.find(({ agent_id }) => agent_id === id);
    expect(found).toMatchObject({
      ...{ reviews: 4, reviews_needed: 4, shrunk: expected[who] },
      score: meanEstimate((given[who] ?? []).map(scoreOf)),
    });
  }
});

test("reviewers have the number of their reviews, and no severity without drawn calls", async () => {
  const { body } = await supervisor.ask<ReviewerScorePageBody>("GET", `/scores/reviewers?${period}`);
  const none = { n: 0, value: null, low: null, high: null };
  expect(body).toMatchObject({
    agreement_complete: true,
    reviewers: [{ reviews: given.flat().length, severity: none, agreement: none, overturned: { disputed: 0 } }],
  });
});

test("agents see the numbers of their own reviews", async () => {
  for (const [who, { ask }] of agents.entries()) {
    const { body } = await ask<OwnScoresBody>("GET", `/scores/mine?${period}`);
    expect(body).toMatchObject({ reviews: 4, score: meanEstimate((given[who] ?? []).map(scoreOf)) });
  }
});
