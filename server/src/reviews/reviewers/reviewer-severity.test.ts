import { randomUUID } from "node:crypto";
import type { ReviewerScore } from "@hearback/contract";
import { boundedInterval } from "@hearback/scoring/statistics/intervals";
import { expect, test } from "vitest";
import { firstCallId } from "../../calls/search/call-filters.ts";
import { openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";

const service = await openTestApp();
const { admin, caller, campaignId } = service;
const { supervisor, scorecardId } = await openReviewTests(service);

interface Reviewed {
  readonly reviewer: string;
  readonly agent: string;
  /** Monday of the week. */
  readonly week: string;
  readonly score: number | null;
  readonly selection?: string;
  readonly state?: string;
  /** After a correction. */
  readonly corrected?: number | null;
}

const ids = new Map<string, string>();
const idOf = (name: string) => {
  const id = ids.get(name) ?? randomUUID();
  ids.set(name, id);
  return id;
};

let inserted = 0;
async function insert(review: Reviewed) {
  const { reviewer, agent, week, score, selection = "drawn", state = "released" } = review;
  const isCorrected = "corrected" in review;
  const latest = isCorrected ? review.corrected : score;
  const outcomeOf = (value: number | null | undefined) => (value === null ? "not_scored" : "passed");
  // The first and the last hour of the week belong to it.
  const hours = [1, 24 * 7 - 1][inserted % 2] ?? 0;
  const callId = `${firstCallId(Date.parse(week) + hours * 3600_000).slice(0, -12)}${String(++inserted).padStart(12, "0")}`;
  const reviewId = randomUUID();
  await admin.query(
    `insert into review (workspace_id, id, call_id, agent_id, campaign_id, scorecard_id, version, reviewer_type, reviewer_id,
        selection, state, revision, score, outcome, active_ms, submitted_at, released_at, voided_at)
      values ($1, $11, $2, $3, $4, $5, 1, 'user', $6, $7, $8, $12, $9, $10, 1000, now(),
        case when $8 = 'released' then now() end, case when $8 = 'voided' then now() end)`,
    [
      ...[caller.workspaceId, callId, idOf(agent), campaignId, scorecardId, idOf(reviewer), selection, state, latest],
      ...[outcomeOf(latest), reviewId, isCorrected ? 2 : 1],
    ],
  );
  for (const [at, value] of [score, ...(isCorrected ? [latest] : [])].entries())
    await admin.query(
      `insert into review_revision (workspace_id, review_id, number, author_type, author_id, cause, answers, result, score, outcome)
        values ($1, $2, $3, 'user', gen_random_uuid(), $4, '{}', '{}', $5, $6)`,
      [caller.workspaceId, reviewId, at + 1, ["submitted", "corrected"][at], value, outcomeOf(value)],
    );
}

const [first, second, third] = ["2026-01-05", "2026-01-12", "2026-01-19"] as const;
const of = (reviewer: string, agent: string, week: string, ...scores: number[]): Reviewed[] =>
  scores.map((score) => ({ reviewer, agent, week, score }));
const drawn: readonly Reviewed[] = [
  ...of("strict", "Ann", first, 6000, 6500),
  ...of("strict", "Ann", second, 7000),
  ...of("strict", "Bob", first, 5000),
  ...of("strict", "Cid", second, 4000, 5500),
  ...of("mild", "Ann", first, 8000),
  ...of("mild", "Ann", second, 9500, 9000),
  ...of("mild", "Bob", second, 7000),
  ...of("mild", "Cid", first, 6500),
  ...of("fair", "Ann", first, 7500),
  ...of("fair", "Bob", first, 6000, 6500),
  ...of("fair", "Cid", second, 6000),
  // Nobody else reviewed this agent, or calls of this week.
  ...of("strict", "Dan", first, 0),
  ...of("mild", "Ann", third, 0),
  ...of("once", "Bob", second, 7500),
  ...of("alone", "Eve", first, 9000),
];

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The definition of docs/statistics.md, review by review. */
function expectedSeverity(reviewer: string) {
  const others = drawn.filter((review) => review.reviewer !== reviewer);
  const meanOf = (reviews: readonly Reviewed[]) => mean(reviews.map(({ score }) => score ?? 0));
  const differences = drawn.flatMap(({ reviewer: by, agent, week, score }) => {
    const ofAgent = others.filter((review) => review.agent === agent);
    const ofWeek = others.filter((review) => review.week === week);
    if (by !== reviewer || ofAgent.length === 0 || ofWeek.length === 0) return [];
    return [{ agent, difference: (score ?? 0) - (meanOf(ofAgent) + meanOf(ofWeek) - meanOf(others)) }];
  });
  const n = differences.length;
  if (n === 0) return { n, value: null, low: null, high: null };
  const value = mean(differences.map(({ difference }) => difference));
  const agents = [...Map.groupBy(differences, ({ agent }) => agent).values()];
  const sums = agents.map((reviews) => reviews.reduce((sum, { difference }) => sum + difference - value, 0));
  const g = n ** 2 / agents.reduce((sum, { length }) => sum + length ** 2, 0);
  if (g < 2) return { n, value: Math.round(value), low: null, high: null };
  const error = Math.sqrt(((g / (g - 1)) * sums.reduce((sum, one) => sum + one * one, 0)) / n ** 2);
  const interval = boundedInterval(value, error, { lowest: -10_000, highest: 10_000, degrees: g - 1 });
  return { n, value: Math.round(value), low: rounded(interval?.low), high: rounded(interval?.high) };
}

const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value));

test("severity is the mean difference from what others gave the agent, corrected for the week", async () => {
  // What a correction or a decision on a dispute made of a score does not count.
  for (const [at, review] of drawn.entries())
    await insert(at % 3 === 0 ? { ...review, corrected: at % 2 === 0 ? 10_000 : null } : review);
  // None of these counts.
  const others = [{ selection: "picked" }, { state: "voided" }, { state: "submitted" }, { score: null }];
  for (const other of others) await insert({ reviewer: "fair", agent: "Ann", week: first, score: 0, ...other });
  await insert({ reviewer: "fair", agent: "Ann", week: first, score: null, corrected: 0 });
  await insert({ reviewer: "fair", agent: "Ann", week: "2026-01-26", score: 0 });
  const path = "/scores/reviewers?from=2026-01-05&to=2026-01-25";
  const reviewers = (await supervisor.ask("GET", path)).body.reviewers as ReviewerScore[];
  const severityOf = (name: string) => reviewers.find(({ reviewer_id }) => reviewer_id === idOf(name))?.severity;
  for (const name of ["strict", "mild", "fair", "once", "alone"])
    expect(severityOf(name), name).toEqual(expectedSeverity(name));
  expect(expectedSeverity("strict")).toMatchObject({ n: 6, value: expect.any(Number), low: expect.any(Number) });
  expect(severityOf("strict")?.value).toBeLessThan(-1000);
  expect(severityOf("mild")?.value).toBeGreaterThan(500);
  expect(severityOf("once")).toMatchObject({ n: 1, low: null });
  expect(severityOf("alone")).toEqual({ n: 0, value: null, low: null, high: null });
  const counts = Object.fromEntries([...ids].map(([name, id]) => [name, reviewers.find((r) => r.reviewer_id === id)]));
  // Picked and unscored reviews are done reviews.
  expect(counts.fair?.reviews).toBe(7);
  // The others are compared with everyone, also on pages of one reviewer.
  const page = (await supervisor.ask("GET", `${path}&limit=1`)).body.reviewers;
  expect(page).toEqual(reviewers.slice(0, 1));
});
