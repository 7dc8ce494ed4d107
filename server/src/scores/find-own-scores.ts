import type { OwnScoresBody } from "@hearback/contract";
import { sql } from "kysely";
import { firstCallId } from "../calls/search/call-filters.ts";
import type { Db } from "../platform/database/database.ts";
import { estimateMean } from "./estimates.ts";
import { readMinReviews } from "./min-reviews.ts";
import { matches, type ScoreFilter } from "./score-filter.ts";
import {
  estimatePassed,
  findItems,
  type ItemSums,
  reviewsOf,
  sumColumns,
  toItems,
  totalOf,
  toVersions,
  toWeeks,
  type WeekSums,
  weekOf,
} from "./summarize.ts";

const dayMs = 24 * 3600_000;

/** The scores of an agent. */
export async function findOwnScores(tx: Db, filter: ScoreFilter, agentId: string): Promise<OwnScoresBody> {
  const { rows } = await sql<WeekSums>`
    select week::text, scorecard_id, version, min(day)::text as first_day, ${sumColumns}
    from (select *, ${weekOf} as week from agent_score_sum where ${matches(filter)} and agent_id = ${agentId}) as sums
    group by week, scorecard_id, version`.execute(tx);
  const total = totalOf(rows);
  const items = await findItems(tx, filter.workspaceId, rows);
  const minReviews = await readMinReviews(tx, filter.workspaceId);
  return {
    reviews: reviewsOf(total),
    score: estimateMean(total),
    passed: estimatePassed(total),
    weeks: toWeeks(rows),
    questions: toItems(await sumQuestions(tx, filter, agentId), items),
    versions: toVersions(rows),
    min_reviews: minReviews,
    reviews_needed: Math.max(0, minReviews - total.scored),
  };
}

/**
 * Sums per question, from the reviews themselves: there are no sums per agent and question. Reads the reviews of one agent in the
 * period, which are some hundred in a year.
 */
async function sumQuestions(tx: Db, filter: ScoreFilter, agentId: string): Promise<ItemSums[]> {
  const { workspaceId, from, to, selection, scorecardId } = filter;
  const selections = selection === "both" ? ["drawn", "picked"] : [selection];
  const { rows } = await sql<ItemSums>`
    select scorecard_id, item_id, count(share) as scored, count(*) - count(share) as unscored,
      count(*) filter (where points = 0) as failed, coalesce(sum(share), 0)::bigint as score_total,
      coalesce(sum(share * share), 0)::bigint as score_squares
    from (
      select review.scorecard_id, question ->> 'question' as item_id, points,
        (points * 20000 + maximum) / nullif(2 * maximum, 0) as share
      from review
      join review_revision as latest on latest.workspace_id = review.workspace_id and latest.review_id = review.id
        and latest.number = review.revision
      cross join jsonb_array_elements(latest.result -> 'questions') as question
      cross join lateral (select (question ->> 'points')::bigint as points, (question ->> 'maximum')::bigint as maximum) as of
      where review.workspace_id = ${workspaceId} and agent_id = ${agentId} and state = 'released'
        -- The index on releases. The time of a call can be a day ahead of the clock.
        and released_at >= ${new Date(Date.parse(from) - 2 * dayMs)}
        and call_id >= ${firstCallId(Date.parse(from))} and call_id < ${firstCallId(Date.parse(to) + dayMs)}
        and selection = any (${selections}::text[])
        and question ->> 'cause' is distinct from 'unscored'
        ${scorecardId === undefined ? sql`` : sql`and review.scorecard_id = ${scorecardId}`}) as answers
    group by scorecard_id, item_id`.execute(tx);
  return rows;
}
