import { randomUUID } from "node:crypto";
import { groupVariances, shrunkMean } from "@hearback/scoring/statistics/shrinkage";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { openTestApp } from "../testing/test-app.ts";
import { noTeam } from "./contribution.ts";
import { estimateShrunk, scoreBounds } from "./estimates.ts";
import { listAgents } from "./list-agents.ts";
import type { ScoreFilter } from "./score-filter.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const { workspaceId } = caller;
const scorecardId = randomUUID();
const sampleSize = 60;

const filterOf = (change: Partial<ScoreFilter> = {}): ScoreFilter => ({
  ...{ workspaceId, from: "2026-06-01", to: "2026-06-30", selection: "both" },
  ...{ scorecardId: undefined, teamId: undefined, campaignId: undefined, within: null, ...change },
});

/** Agents with three reviews on each of two days. Their scores differ within and between agents. */
async function addAgents(teamId: string, count: number, campaignId = "support-fr"): Promise<void> {
  await admin.query(
    `insert into agent_score_sum (workspace_id, agent_id, day, scorecard_id, version, team_id, campaign_id, selection, scored, score_total,
        score_squares)
      select $1, agent_id, day, $2, 1, $3, $4, 'drawn', 3, 3 * mean, 3 * mean * mean + 2 * 500 * 500
      from (select gen_random_uuid() as agent_id, n from generate_series(1, $5::int) as n) as agents,
        (values (date '2026-06-02'), (date '2026-06-09')) as days (day),
        lateral (select 5000 + n * 7919 % 4000 + extract(day from day)::int as mean) as of_day`,
    [workspaceId, scorecardId, teamId, campaignId, count],
  );
  await admin.query("vacuum analyze agent_score_sum");
}

const listAll = (filter: ScoreFilter) =>
  inWorkspace(app, workspaceId, async (tx) => {
    const found = [];
    for (let cursor: string | undefined; ; ) {
      const { agents, next } = await listAgents(tx, filter, { cursor, limit: 200 });
      found.push(...agents);
      if (next === null) return found;
      cursor = next;
    }
  });

/** The shrunk means of all agents of a team, from the variances of the first `count` of them. */
async function shrunkFrom(teamId: string, count: number) {
  const { rows } = await admin.query<{ id: string; n: number; total: number; squares: number }>(
    `select agent_id as id, sum(scored)::int as n, sum(score_total)::int as total, sum(score_squares)::float8 as squares
      from agent_score_sum where team_id = $1 group by agent_id order by agent_id`,
    [teamId],
  );
  const sum = (measure: (row: (typeof rows)[number]) => number) =>
    rows.slice(0, count).reduce((total, row) => total + measure(row), 0);
  const group = groupVariances({
    agents: Math.min(count, rows.length),
    ...{ count: sum(({ n }) => n), total: sum(({ total }) => total), squares: sum(({ squares }) => squares) },
    ...{ squaredCounts: sum(({ n }) => n ** 2), squaredTotals: sum(({ n, total }) => total ** 2 / n) },
  });
  if (!group) throw new Error("the agents are no group");
  return rows.map(({ id, n, total, squares }) => ({
    agent_id: id,
    shrunk: estimateShrunk(n, shrunkMean({ count: n, total, squares }, group, scoreBounds)),
  }));
}

test(`agents are shrunk to all agents of a group of ${sampleSize}, and to the first ${sampleSize} of a larger one`, async () => {
  for (const count of [sampleSize, sampleSize + 30, 250]) {
    const teamId = randomUUID();
    await addAgents(teamId, count);
    const found = await listAll(filterOf({ teamId }));
    expect(found).toHaveLength(count);
    expect(found.map(({ agent_id, shrunk }) => ({ agent_id, shrunk }))).toEqual(
      await shrunkFrom(teamId, Math.min(count, sampleSize)),
    );
  }
});

test("agents without reviews that match the filter are not in the sample", async () => {
  const teamId = randomUUID();
  await addAgents(teamId, 100, "other");
  await addAgents(teamId, 10, "rare");
  const found = await listAll(filterOf({ teamId, campaignId: "rare" }));
  expect(found).toHaveLength(10);
  for (const { shrunk } of found) expect(shrunk.value).not.toBeNull();
  const of = new Set((await shrunkFrom(teamId, 110)).map(({ shrunk }) => shrunk.value));
  for (const { shrunk } of found) expect(of).not.toContain(shrunk.value);
});

/** Rows of the table and entries of its indexes that this session has read. */
async function countReads(tx: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select pg_stat_get_xact_tuples_returned('agent_score_sum'::regclass)
      + (select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index
          where indrelid = 'agent_score_sum'::regclass) as rows`.execute(tx);
  return Number(rows[0]?.rows);
}
const readByPage = (filter: ScoreFilter): Promise<number> =>
  inWorkspace(app, workspaceId, async (tx) => {
    const before = await countReads(tx);
    expect((await listAgents(tx, filter, { limit: 50 })).agents).toHaveLength(50);
    return (await countReads(tx)) - before;
  });

test("a page reads as many rows of a group of 3,000 agents as of one of 600", async () => {
  await admin.query("delete from agent_score_sum");
  const filters = [filterOf({ teamId: randomUUID() }), filterOf()];
  for (const { teamId = noTeam } of filters) await addAgents(teamId, 600);
  const few = await Promise.all(filters.map(readByPage));
  for (const { teamId = noTeam } of filters) await addAgents(teamId, 2400);
  expect(await Promise.all(filters.map(readByPage))).toEqual(few);
});
