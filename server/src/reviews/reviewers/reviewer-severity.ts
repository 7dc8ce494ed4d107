import type { ReviewerSeverity } from "@hearback/contract";
import type { ClusterSums } from "@hearback/scoring/statistics/intervals";
import { sql } from "kysely";
import { firstCallId } from "../../calls/search/call-filters.ts";
import type { Db } from "../../platform/database/database.ts";
import { estimateDifference } from "../../scores/estimates.ts";
import { matchesReviews, type ScoreFilter } from "../../scores/score-filter.ts";
import { reviewerSettings } from "./reviewer-settings.ts";

/** Forces hash joins. The planner expects few rows after the grouping, and would compare each row with each. */
export const severitySettings = { ...reviewerSettings, enable_nestloop: "off" } as const;

const dayMs = 24 * 3600_000;
const weekMs = 7 * dayMs;

/** The lowest id of a call in each week of the period. */
function firstCallsOfWeeks({ from, to }: ScoreFilter): string[] {
  const start = Date.parse(from);
  const monday = start - ((new Date(start).getUTCDay() + 6) % 7) * dayMs;
  const weeks = Math.floor((Date.parse(to) - monday) / weekMs) + 1;
  return Array.from({ length: weeks }, (_, week) => firstCallId(monday + week * weekMs));
}

/**
 * The score that the reviewer submitted first: corrections and decisions on disputes are others' work. Only a review that was changed
 * since has other revisions, so that few are read.
 */
const submittedScore = sql`case when revision = 1 then score else (
    select first.score from review_revision as first
    where first.workspace_id = review.workspace_id and first.review_id = review.id and first.number = 1) end`;

/**
 * How much the scores of reviewers differ from those that other reviewers gave to the same agents, corrected for the week. From drawn
 * reviews only: calls that a person chose are no random sample.
 */
export async function findSeverities(
  tx: Db,
  filter: ScoreFilter,
  reviewerIds: readonly string[],
): Promise<Map<string, ReviewerSeverity>> {
  const { rows } = await sql<ClusterSums & { readonly reviewerId: string }>`
    -- Apart from the grouping, for which the planner would read the whole index that is in the order of reviewers.
    with submitted as materialized (
      select reviewer_id, agent_id, call_id, ${submittedScore} as score from review
      where ${matchesReviews(filter)} and state = 'released' and selection = 'drawn'),
    scored as materialized (
      select reviewer_id, agent_id, width_bucket(call_id, ${firstCallsOfWeeks(filter)}::uuid[]) as week,
        count(*)::float8 as n, sum(score)::float8 as total
      from submitted where score is not null
      group by reviewer_id, agent_id, week),
    own as materialized (select * from scored where reviewer_id = any (${[...reviewerIds]}::uuid[])),
    -- Means of all other reviewers: of the same agent, in the same week, in the period.
    of_agent as materialized (
      select reviewer_id, agent_id, (a.total - o.total) / (a.n - o.n) as mean
      from (select reviewer_id, agent_id, sum(n) as n, sum(total) as total from own group by reviewer_id, agent_id) as o
      join (select agent_id, sum(n) as n, sum(total) as total from scored group by agent_id) as a using (agent_id)
      where a.n > o.n),
    of_week as materialized (
      select reviewer_id, week, (a.total - o.total) / (a.n - o.n) as mean
      from (select reviewer_id, week, sum(n) as n, sum(total) as total from own group by reviewer_id, week) as o
      join (select week, sum(n) as n, sum(total) as total from scored group by week) as a using (week)
      where a.n > o.n),
    everyone as materialized (select sum(n) as n, sum(total) as total from scored),
    of_period as materialized (
      select reviewer_id, (a.total - o.total) / (a.n - o.n) as mean
      from (select reviewer_id, sum(n) as n, sum(total) as total from own group by reviewer_id) as o
      join everyone as a on a.n > o.n),
    differences as (
      select reviewer_id, agent_id, sum(own.n) as n,
        sum(own.total - own.n * (of_agent.mean + of_week.mean - of_period.mean)) as total
      from own
      join of_agent using (reviewer_id, agent_id)
      join of_week using (reviewer_id, week)
      join of_period using (reviewer_id)
      group by reviewer_id, agent_id)
    select reviewer_id, count(*) as clusters, sum(n) as count, sum(total) as total, sum(total * total) as squared_totals,
      sum(n * total) as products, sum(n * n) as squared_counts
    from differences group by reviewer_id`.execute(tx);
  return new Map(rows.map((row) => [row.reviewerId, estimateDifference(row)]));
}
