import { searchLimits } from "@hearback/contract";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { genericPlanSettings, inWorkspace } from "../../platform/database/in-workspace.ts";
import { isCountedReview } from "../call/review-scope.ts";
import { type CallFilters, idRange } from "./call-filters.ts";
import { columnConditionsFor } from "./column-filters.ts";
import type { IdRange } from "./id-range.ts";
import { scanIndex } from "./scan-index.ts";

export interface CountEstimate {
  readonly count: number;
  readonly exact: boolean;
}

/** Counts matching calls exactly up to a limit, and beyond that uses the query planner's estimate. Cost is bounded. */
export async function estimateCount(
  app: App,
  workspaceId: string,
  readFilters: (tx: Db) => Promise<CallFilters>,
): Promise<CountEstimate> {
  const limit = searchLimits.exactCount;
  const counted = await inWorkspace(
    app,
    workspaceId,
    async (tx) => {
      const filters = await readFilters(tx);
      const range = idRange(filters);
      return { filters, range, scanned: await scanIndex(tx, { workspaceId, filters, range, page: limit + 1 }) };
    },
    genericPlanSettings,
  );
  const { filters, range, scanned } = counted;
  const { length: seen } = scanned.ids;
  if (scanned.edge === null && seen <= limit) return { count: seen, exact: true };
  if (filters.said) {
    const reached = seen > limit ? scanned.ids.at(-1) : scanned.edge;
    const count = await inWorkspace(app, workspaceId, (tx) =>
      extrapolate(tx, workspaceId, counted, reached ?? range.floor),
    );
    return { count: Math.max(seen, count), exact: false };
  }
  const rows = await inWorkspace(app, workspaceId, (tx) => estimateRows(tx, workspaceId, filters, range));
  return { count: Math.max(seen, Math.round(rows)), exact: false };
}

/** There are no statistics about words: as many matches per call as where the search has been. */
async function extrapolate(
  tx: Db,
  workspaceId: string,
  { filters, range, scanned }: { filters: CallFilters; range: IdRange; scanned: { ids: readonly string[] } },
  reached: string,
): Promise<number> {
  const callsFrom = (floor: string) =>
    plannedRows(
      tx,
      sql`select from call where workspace_id = ${workspaceId} and id >= ${floor} and id < ${range.below} and ${columnConditionsFor(filters)}`,
    );
  const share = (await callsFrom(range.floor)) / Math.max(1, await callsFrom(reached));
  return Math.round(scanned.ids.length * Math.max(1, share));
}

/** The planner's row estimate. Treats metadata filters as independent of each other. */
async function estimateRows(tx: Db, workspaceId: string, filters: CallFilters, range: IdRange): Promise<number> {
  const inRange = sql`workspace_id = ${workspaceId} and id >= ${range.floor} and id < ${range.below}`;
  const all = await plannedRows(tx, sql`select from call where ${inRange}`);
  let rows = await plannedRows(tx, sql`select from call where ${inRange} and ${columnConditionsFor(filters)}`);
  if (filters.review) {
    // How often calls are reviewed, from the number of reviews: their statistics cover the whole workspace.
    const { outcomes, reviewed } = filters.review;
    const reviews = await plannedRows(
      tx,
      sql`select from review where workspace_id = ${workspaceId} and call_id >= ${range.floor} and call_id < ${range.below}
        and ${sql.raw(isCountedReview)} and (${outcomes}::text[] is null or outcome = any (${outcomes}::text[]))`,
    );
    const share = filters.confined ? 1 : Math.min(1, reviews / Math.max(1, all));
    rows *= reviewed ? share : 1 - share;
  }
  // Metadata statistics cover the whole workspace and would leak to callers that see only a part of it.
  if (filters.confined) return rows;
  for (const [key, values] of filters.metadata) {
    const entries = await plannedRows(
      tx,
      sql`select from call_metadata where workspace_id = ${workspaceId} and key = ${key} and value = any (${values}::text[])
        and call_id >= ${range.floor} and call_id < ${range.below}`,
    );
    rows *= Math.min(1, entries / Math.max(1, all));
  }
  if (filters.phone) {
    const { from, to } = filters.phone;
    const entries = await plannedRows(
      tx,
      sql`select from call_metadata where workspace_id = ${workspaceId} and phone_digits >= ${from} and phone_digits < ${to}
        and call_id >= ${range.floor} and call_id < ${range.below}`,
    );
    rows *= Math.min(1, entries / Math.max(1, all));
  }
  return rows;
}

async function plannedRows(tx: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<
    Record<string, [{ Plan: { "Plan Rows": number } }]>
  >`explain (format json) ${query}`.execute(tx);
  const [plan] = Object.values(rows[0] ?? {});
  return plan?.[0].Plan["Plan Rows"] ?? 0;
}
