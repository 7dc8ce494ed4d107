import type { AgentScore, AgentScorePageBody } from "@hearback/contract";
import {
  type GroupSums,
  type GroupVariances,
  groupVariances,
  shrunkMean,
} from "@hearback/scoring/statistics/shrinkage";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { noTeam } from "./contribution.ts";
import { estimateMean, estimateShrunk, scoreBounds } from "./estimates.ts";
import type { Measures } from "./measures.ts";
import { readMinReviews } from "./min-reviews.ts";
import { matches, type ScoreFilter } from "./score-filter.ts";
import { estimatePassed, reviewsOf, sumColumns } from "./summarize.ts";

interface AgentRow extends Measures {
  readonly agentId: string;
  readonly name: string | null;
  /** Of the latest day. */
  readonly teamId: string;
}

interface Paging {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Agents with reviews in the period, in the order of their ids: never ranked. */
export async function listAgents(tx: Db, filter: ScoreFilter, { cursor, limit }: Paging): Promise<AgentScorePageBody> {
  const { workspaceId } = filter;
  const rows = await readAgents(tx, filter, { cursor, limit });
  const found = rows.filter(({ agentId }) => agentId !== null);
  const page = toPage(found, limit, ({ agentId }) => agentId);
  const { scanned = 0, lastScanned = null } = rows[0] ?? {};
  const next = page.next ?? (scanned === scanLimit ? lastScanned : null);
  const teams = await findTeamVariances(tx, filter, [...new Set(page.rows.map(({ teamId }) => teamId))]);
  const minReviews = await readMinReviews(tx, workspaceId);
  const agents = page.rows.map((row) => toAgentScore(row, teams.get(row.teamId) ?? null, minReviews));
  return { min_reviews: minReviews, agents, next };
}

/** Agents whose sums one page, and the sample of one team, read at most. A page that reaches it is short and has a cursor. */
const scanLimit = 500;
/** Agents of a team from which the variances are estimated: those with the lowest ids, which are random (UUID version 4). */
const sampleSize = 60;

interface ScannedRow extends AgentRow {
  readonly scanned: number;
  readonly lastScanned: string | null;
}

/** Body of the recursive query `agents`: skips from agent to agent in an index, so that a limit ends the recursion. */
const nextAgents = (isOf: RawBuilder<boolean>, after: string) => sql`
  (select agent_id from agent_score_sum where ${isOf} and agent_id > ${after} order by agent_id limit 1)
  union all
  select (select agent_id from agent_score_sum where ${isOf} and agent_id > agents.agent_id order by agent_id limit 1)
  from agents where agents.agent_id is not null`;

/** Reads the sums of the next agents. No join with names: a hash join would lose the order. */
async function readAgents(tx: Db, filter: ScoreFilter, { cursor, limit }: Paging): Promise<ScannedRow[]> {
  const { workspaceId, teamId } = filter;
  const ofTeam = teamId === undefined ? sql`` : sql`and team_id = ${teamId}`;
  const isOf = sql<boolean>`workspace_id = ${workspaceId} ${ofTeam}`;
  const { rows } = await sql<ScannedRow>`
    with recursive agents as materialized (${nextAgents(isOf, cursor ?? lowestUuid)}),
    scanned as materialized (select agent_id from agents where agent_id is not null limit ${scanLimit})
    select page.*, (select count(*)::int from scanned) as scanned,
      (select agent_id from scanned order by agent_id desc limit 1) as last_scanned
    from (values (1)) as one
    left join (
      select scanned.agent_id, sums.*,
        (select name from app_user where workspace_id = ${workspaceId} and id = scanned.agent_id) as name
      from scanned
      cross join lateral (
        select ${sumColumns}, (array_agg(team_id order by day desc, team_id))[1] as team_id
        from agent_score_sum where ${matches(filter)} and agent_id = scanned.agent_id) as sums
      where scored + unscored > 0
      limit ${limit + 1}) as page on true`.execute(tx);
  return rows;
}

/** Variances within and between the agents of each team, from a sample of them. Agents without a team are one group. */
async function findTeamVariances(
  tx: Db,
  filter: ScoreFilter,
  teamIds: readonly string[],
): Promise<Map<string, GroupVariances | null>> {
  const isOf = sql<boolean>`workspace_id = ${filter.workspaceId} and team_id = team.id`;
  const { rows } = await sql<GroupSums & { readonly teamId: string }>`
    select team.id as team_id, count(*) as agents, sum(n)::bigint as count, sum(total)::bigint as total,
      sum(squares)::bigint as squares, sum(n * n)::float8 as squared_counts, sum(total::float8 * total / n) as squared_totals
    from unnest(${[...teamIds]}::uuid[]) as team (id)
    cross join lateral (
      with recursive agents as (${nextAgents(isOf, lowestUuid)}),
      scanned as (select agent_id from agents where agent_id is not null limit ${scanLimit})
      select n, total, squares
      from scanned
      cross join lateral (
        select sum(scored)::bigint as n, sum(score_total)::bigint as total, sum(score_squares)::bigint as squares
        from agent_score_sum where ${matches(filter)} and team_id = team.id and agent_id = scanned.agent_id) as sums
      where n > 0
      limit ${sampleSize}) as sample
    group by team.id`.execute(tx);
  return new Map(rows.map((row) => [row.teamId, groupVariances(row)]));
}

function toAgentScore(row: AgentRow, team: GroupVariances | null, minReviews: number): AgentScore {
  const { scored: count, scoreTotal: total, scoreSquares: squares } = row;
  const shrunk = team && count > 0 ? shrunkMean({ count, total, squares }, team, scoreBounds) : null;
  return {
    agent_id: row.agentId,
    name: row.name,
    team_id: row.teamId === noTeam ? null : row.teamId,
    reviews: reviewsOf(row),
    score: estimateMean(row),
    passed: estimatePassed(row),
    shrunk: estimateShrunk(count, shrunk),
    reviews_needed: Math.max(0, minReviews - count),
  };
}
