import { createHash, randomUUID } from "node:crypto";
import type { Answers } from "@hearback/scoring/answers";
import { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import type pg from "pg";
import { withoutIndexes } from "./review-service.ts";

const sections = 5;
const questionsOfSection = 5;
/** Different sets of answers. Reviews use them in turn. */
const patterns = 64;
const teams = 100;
const campaigns = 10;
const reviewers = 200;
const dayMs = 24 * 3600_000;
/** A Monday. */
const start = Date.UTC(2026, 5, 1);
export const days = 12 * 7;

export interface ScoreData {
  readonly workspaceId: string;
  readonly scorecardId: string;
  readonly reviews: number;
}

const document = ScorecardDocument.parse({
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 70,
  not_applicable: "stays_in_section",
  fail: "zeroes_score",
  release: "on_submit",
  dispute_days: 14,
  dispute_levels: 1,
  sections: Array.from({ length: sections }, (_, section) => ({
    id: `section_${section}`,
    title: `Section ${section}`,
    questions: Array.from({ length: questionsOfSection }, (_, question) => ({
      id: `question_${section}_${question}`,
      title: `Question ${section}.${question}`,
      type: "choice",
      weight: 4,
      not_applicable: true,
      options: [
        { id: "full", label: "Fully", points: 2 },
        { id: "partly", label: "Partly", points: 1 },
        // One question can fail the call.
        { id: "no", label: "Not at all", points: 0, ...(section + question === 0 && { fails: "call" }) },
      ],
    })),
  })),
});

function answersOf(pattern: number): Answers {
  const questions = document.sections.flatMap((section) => section.questions);
  return Object.fromEntries(
    questions.map(({ id }, index) => {
      const chance = createHash("sha256").update(`${pattern} ${index}`).digest().readUInt8(0) % 10;
      const value = chance === 0 ? "no" : chance < 3 ? "partly" : "full";
      return [id, chance === 9 ? { not_applicable: true } : { value }];
    }),
  );
}

/** SQL: rows of reviews `$1` to `$2`, of which all other columns follow. `$3` are milliseconds between two calls. */
const generated = (agents: number) => `
  select n, agent, agent % ${teams} as team, (agent % ${teams}) % ${campaigns} as campaign, at, (at at time zone 'UTC')::date as day,
    case when n / 7 % 5 = 0 then 'picked' else 'drawn' end as selection, n % 2 = 0 as acknowledged,
    ((n * 31 + n / ${agents}) % ${patterns})::int as pattern,
    case when (at at time zone 'UTC')::date < date '2026-07-13' then 1 else 2 end as version
  from (select n, n % ${agents} as agent,
      timestamptz '2026-06-01 00:00:00Z' + (n * $3::bigint) * interval '1 millisecond' as at
    from generate_series($1::bigint, $2::bigint) as n) as numbered`;
const agentId = "('aaaaaaaa-0000-4000-8000-' || lpad(to_hex(agent), 12, '0'))::uuid";
const teamId = "('dddddddd-0000-4000-8000-' || lpad(to_hex(team), 12, '0'))::uuid";
const reviewerId = `('bbbbbbbb-0000-4000-8000-' || lpad(to_hex(n * 7919 % ${reviewers}), 12, '0'))::uuid`;
const timeOf = "lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')";
const idOf = (kind: string) => `(${timeOf} || '7000${kind}' || lpad(to_hex(n), 12, '0'))::uuid`;

/** Inserts released reviews of 12 weeks with their revisions, and their sums, all from the same generated data. */
export async function insertScores(
  admin: pg.Client,
  { reviews, agents }: { readonly reviews: number; readonly agents: number },
  say: (text: string) => void,
): Promise<ScoreData> {
  const workspaceId = randomUUID();
  const scorecardId = randomUUID();
  await admin.query("insert into workspace (id, name) values ($1, 'Bench')", [workspaceId]);
  await admin.query(
    "insert into scorecard (workspace_id, id, name, latest_version) values ($1, $2, 'Support call', 2)",
    [workspaceId, scorecardId],
  );
  for (const version of [1, 2])
    await admin.query(
      `insert into scorecard_version (workspace_id, scorecard_id, version, document, digest, published_by_type)
        values ($1, $2, $3, $4, sha256(''), 'operator')`,
      [workspaceId, scorecardId, version, JSON.stringify(document)],
    );
  await insertPatterns(admin);
  const stepMs = Math.floor((days * dayMs) / reviews);
  const batch = 500_000;
  const inBatches = async (insert: (range: readonly number[]) => Promise<unknown>, what: string) => {
    for (let from = 0; from < reviews; from += batch) {
      const end = Math.min(reviews, from + batch);
      await insert([from, end - 1, stepMs]);
      say(`${end.toLocaleString("en")} of ${reviews.toLocaleString("en")} ${what}`);
    }
  };
  await withoutIndexes(admin, "review", say, () =>
    inBatches(
      (range) =>
        admin.query(
          `insert into review (workspace_id, id, call_id, agent_id, campaign_id, team_id, scorecard_id, version, reviewer_type,
              reviewer_id, selection, state, number, revision, score, outcome, active_ms, created_at, submitted_at, released_at,
              disputable_until, acknowledged_at)
            select $4, ${idOf("8000")}, ${idOf("8001")}, ${agentId}, 'campaign-' || campaign, ${teamId}, $5, version, 'user',
              ${reviewerId}, selection, 'released', 25, 1, p.score, p.outcome, 300000, at, at,
              at + interval '1 day', at + interval '15 days', case when acknowledged then at + interval '25 hours' end
            from (${generated(agents)}) as g join bench_pattern as p using (pattern)`,
          [...range, workspaceId, scorecardId],
        ),
      "reviews",
    ),
  );
  await inBatches(
    (range) =>
      admin.query(
        `insert into review_revision (workspace_id, review_id, number, at, author_type, author_id, cause, answers, result, score, outcome)
          select $4, ${idOf("8000")}, 1, at, 'user', ${reviewerId}, 'submitted', '{}', p.result, p.score,
            p.outcome
          from (${generated(agents)}) as g join bench_pattern as p using (pattern)`,
        [...range, workspaceId],
      ),
    "revisions",
  );
  await insertSums(admin, { workspaceId, scorecardId, agents, range: [0, reviews - 1, stepMs] });
  say("sums");
  for (const table of ["review_revision", "score_sum", "agent_score_sum"]) await admin.query(`vacuum analyze ${table}`);
  return { workspaceId, scorecardId, reviews };
}

/** The result of each set of answers, and what one review with it adds to the sums. */
async function insertPatterns(admin: pg.Client): Promise<void> {
  const rows = Array.from({ length: patterns }, (_, pattern) => {
    const result = calculateResult(document, answersOf(pattern));
    return { pattern, result, score: result.score, outcome: result.outcome };
  });
  await admin.query(`create temp table bench_pattern as
    select * from jsonb_to_recordset('${JSON.stringify(rows).replaceAll("'", "''")}') as p (pattern int, result jsonb, score int, outcome text)`);
  await admin.query(`create temp table bench_part as
    select pattern, 'review' as part, '' as item_id, score, outcome = 'passed' as passed, outcome = 'failed' as failed,
      result @? '$.failed_by[*] ? (@.scope == "call")' as failed_call
    from bench_pattern
    union all select pattern, 'section', s ->> 'section', (s ->> 'score')::int, (s ->> 'score')::int = 10000,
      (s ->> 'score')::int = 0, (s ->> 'failed')::boolean
    from bench_pattern, jsonb_array_elements(result -> 'sections') as s
    union all select pattern, 'question', q ->> 'question',
      round((q ->> 'points')::numeric * 10000 / (q ->> 'maximum')::int)::int, q -> 'points' = q -> 'maximum', q -> 'points' = '0',
      exists (select from jsonb_array_elements(result -> 'failed_by') as f where f ->> 'question' = q ->> 'question')
    from bench_pattern, jsonb_array_elements(result -> 'questions') as q`);
}

interface Range {
  readonly workspaceId: string;
  readonly scorecardId: string;
  readonly agents: number;
  readonly range: readonly number[];
}

const measures =
  "scored, unscored, passed, failed, failed_call, score_total, score_squares, release_seconds, acknowledged, acknowledgement_seconds";
/** SQL: sums over `reviews` reviews of a pattern, `acknowledged` of which are acknowledged. */
const sums = `sum(reviews * (score is not null)::int), sum(reviews * (score is null)::int), coalesce(sum(reviews * passed::int), 0),
  coalesce(sum(reviews * failed::int), 0), sum(reviews * failed_call::int), coalesce(sum(reviews * score), 0),
  coalesce(sum(reviews * score::bigint * score), 0), sum((part = 'review')::int * reviews * 86400),
  sum((part = 'review')::int * acknowledged), sum((part = 'review')::int * acknowledged * 3600)`;

async function insertSums(admin: pg.Client, { workspaceId, scorecardId, agents, range }: Range): Promise<void> {
  await admin.query("set work_mem = '512MB'");
  const grouped = (columns: string) => `
    select ${columns}, pattern, count(*) as reviews, count(*) filter (where acknowledged) as acknowledged
    from (${generated(agents)}) as g group by ${columns}, pattern`;
  const key = "day, version, team, campaign, selection";
  await admin.query(
    `insert into score_sum (workspace_id, day, scorecard_id, version, team_id, campaign_id, selection, part, item_id, ${measures})
      select $4, day, $5, version, ${teamId}, 'campaign-' || campaign, selection, part, item_id, ${sums}
      from (${grouped(key)}) as g join bench_part using (pattern) group by ${key}, part, item_id`,
    [...range, workspaceId, scorecardId],
  );
  await withoutIndexes(
    admin,
    "agent_score_sum",
    () => {},
    async () => {
      await admin.query(
        `insert into agent_score_sum (workspace_id, agent_id, day, scorecard_id, version, team_id, campaign_id, selection, ${measures})
          select $4, ${agentId}, day, $5, version, ${teamId}, 'campaign-' || campaign, selection, ${sums}
          from (${grouped(`agent, ${key}`)}) as g join bench_part using (pattern) where part = 'review' group by agent, ${key}
          -- As reviews are released: the rows of an agent are scattered over the table.
          order by day`,
        [...range, workspaceId, scorecardId],
      );
    },
  );
}

/** One of the teams. */
export const teamOfAgents = "dddddddd-0000-4000-8000-000000000001";

/** The period of all reviews. */
export const period = {
  from: new Date(start).toISOString().slice(0, 10),
  to: new Date(start + (days - 1) * dayMs).toISOString().slice(0, 10),
};
