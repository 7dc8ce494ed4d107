import { randomUUID } from "node:crypto";
import type pg from "pg";
import { withoutIndexes } from "./review-service.ts";

/** Each agent has so many reviews, whatever the size: the lists compared are of the same length. */
const reviewsOfAgent = 2_500;
const reviewsOfReviewer = 25_000;
/** Every second call has one review, the others three. */
const reviewsOfTwoCalls = 4;
const reviewsOfRetired = 1_000;

export interface ReviewData {
  readonly workspaceId: string;
  readonly agents: number;
  readonly reviewers: number;
  readonly calls: number;
  /** Used for the oldest reviews only. */
  readonly retiredScorecardId: string;
}

/** Ids that any process can compute. */
export const agentId = (number: number) => idOf("a", number);
export const reviewerId = (number: number) => idOf("b", number);
export const callId = (number: number) => `019${idOf("c", number).slice(3)}`;
const idOf = (kind: string, number: number) =>
  `${kind.repeat(8)}-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;

/** SQL for the same ids. */
const sqlId = (kind: string, number: string) =>
  `('${kind.repeat(8)}-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
const sqlCallId = (number: string) =>
  `('019${"c".repeat(5)}-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** Inserts released reviews of one workspace, without indexes, then creates the indexes again. */
export async function insertReviews(
  admin: pg.Client,
  reviews: number,
  say: (text: string) => void,
): Promise<ReviewData> {
  const workspaceId = randomUUID();
  const scorecardId = randomUUID();
  const retiredScorecardId = randomUUID();
  const agents = Math.ceil(reviews / reviewsOfAgent);
  const reviewers = Math.ceil(reviews / reviewsOfReviewer);
  const calls = Math.floor((reviews * 2) / reviewsOfTwoCalls);
  await admin.query("insert into workspace (id, name) values ($1, 'Bench')", [workspaceId]);
  for (const id of [scorecardId, retiredScorecardId]) {
    await admin.query(
      "insert into scorecard (workspace_id, id, name, latest_version) values ($1, $2, 'Support call', 1)",
      [workspaceId, id],
    );
    await admin.query(
      `insert into scorecard_version (workspace_id, scorecard_id, version, document, digest, published_by_type)
        values ($1, $2, 1, '{}', sha256(''), 'operator')`,
      [workspaceId, id],
    );
  }
  await withoutIndexes(admin, "review", say, async () => {
    const batch = 1_000_000;
    // Agents, reviewers and calls are spread over the table, as reviews of many people arrive together.
    for (let from = 0; from < reviews; from += batch) {
      await admin.query(
        `insert into review (workspace_id, id, call_id, agent_id, campaign_id, scorecard_id, version, reviewer_type,
          reviewer_id, selection, state, number, revision, score, outcome, active_ms, created_at, submitted_at, released_at,
          disputable_until, acknowledged_at)
        select $1, ('0190' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
          ${sqlCallId("(case when n % 4 = 0 then n / 4 * 2 else n / 4 * 2 + 1 end)")}, ${sqlId("a", `n % ${agents}`)}, 'support',
          case when n < ${reviewsOfRetired} then $5::uuid else $2::uuid end, 1, 'user',
          ${sqlId("b", `n % ${reviewers}`)}, 'drawn', 'released', 25, 1, 5000 + n % 5000,
          case when n % 7 = 0 then 'failed' else 'passed' end, 300000, at, at, at, at + interval '14 days', at
        from (select n, timestamptz '2026-01-01' + n * interval '0.6 seconds' as at
          from generate_series($3::bigint, $4::bigint) as n) as numbered`,
        [workspaceId, scorecardId, from, Math.min(reviews, from + batch) - 1, retiredScorecardId],
      );
      say(`${Math.min(reviews, from + batch).toLocaleString("en")} of ${reviews.toLocaleString("en")} reviews`);
    }
  });
  return { workspaceId, agents, reviewers, calls, retiredScorecardId };
}
