import { searchLimits } from "@hearback/contract";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace, steadyPlans } from "../platform/database/in-workspace.ts";
import { type CallFilters, type IdRange, idRange } from "./call-filters.ts";
import { walkCalls } from "./walk-calls.ts";

export interface CountEstimate {
  readonly count: number;
  readonly exact: boolean;
}

/** How many calls match: counted where few entries tell, else what PostgreSQL's statistics say. Never all of them. */
export async function estimateCount(
  app: App,
  workspaceId: string,
  readFilters: (tx: Db) => Promise<CallFilters>,
): Promise<CountEstimate> {
  const most = searchLimits.exactCount;
  const counted = await inWorkspace(
    app,
    workspaceId,
    async (tx) => {
      const filters = await readFilters(tx);
      const range = idRange(filters);
      return { filters, range, walked: await walkCalls(tx, { workspaceId, filters, range, page: most + 1 }) };
    },
    steadyPlans,
  );
  const { filters, range, walked } = counted;
  const { length: seen } = walked.ids;
  if (walked.edge === null && seen <= most) return { count: seen, exact: true };
  const rows = await inWorkspace(app, workspaceId, (tx) => estimateRows(tx, workspaceId, filters, range));
  return { count: Math.max(seen, Math.round(rows)), exact: false };
}

/** The planner's guess, taking filters as independent of each other. */
async function estimateRows(tx: Db, workspaceId: string, filters: CallFilters, range: IdRange): Promise<number> {
  const inRange = sql`workspace_id = ${workspaceId} and id >= ${range.floor} and id < ${range.below}`;
  const all = await plannedRows(tx, sql`select from call where ${inRange}`);
  let rows = await plannedRows(tx, sql`select from call where ${inRange} ${columnsOf(filters)}`);
  // How often a value occurs is known of the whole workspace, and not for who may know of a part of it alone.
  if (filters.confined) return rows;
  for (const [key, values] of filters.metadata) {
    const entries = await plannedRows(
      tx,
      sql`select from call_metadata where workspace_id = ${workspaceId} and key = ${key} and value = any (${values}::text[])
        and call_id >= ${range.floor} and call_id < ${range.below}`,
    );
    rows *= Math.min(1, entries / Math.max(1, all));
  }
  return rows;
}

function columnsOf(filters: CallFilters): RawBuilder<unknown> {
  const { campaignIds, agentIds, statuses, minDurationMs, maxDurationMs, importedFrom, importedTo } = filters;
  const conditions = [
    campaignIds && sql`and campaign_id = any (${campaignIds}::text[])`,
    agentIds && sql`and agent_id = any (${agentIds}::uuid[])`,
    statuses && sql`and status = any (${statuses}::text[])`,
    minDurationMs !== null && sql`and duration_ms >= ${minDurationMs}`,
    maxDurationMs !== null && sql`and duration_ms <= ${maxDurationMs}`,
    importedFrom && sql`and created_at >= ${importedFrom}`,
    importedTo && sql`and created_at < ${importedTo}`,
  ];
  return sql.join(
    conditions.filter((condition) => condition !== null && condition !== undefined && condition !== false),
    sql` `,
  );
}

async function plannedRows(tx: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<
    Record<string, [{ Plan: { "Plan Rows": number } }]>
  >`explain (format json) ${query}`.execute(tx);
  const [plan] = Object.values(rows[0] ?? {});
  return plan?.[0].Plan["Plan Rows"] ?? 0;
}
