import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inSnapshot, inWorkspace } from "../../platform/database/in-workspace.ts";
import { idPages, within } from "../../platform/database/partition-ranges.ts";
import { noteImportsCounted } from "../../workspaces/usage.ts";

/** Import summaries cover at most 31 days, in any time zone. */
const recountedDays = 33;
const dayMs = 24 * 3600_000;
/** Calls counted per statement: about 50 ms. */
const pageSize = 20_000;

/**
 * Backfill: counts calls that were imported before the counters existed, once per workspace. Counts each day in pages within
 * one snapshot and inserts the difference from the current counters as deltas.
 */
export async function recountImports(app: App, workspaceId: string, signal?: AbortSignal): Promise<void> {
  const isCounted = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("workspaceUsage")
      .select("workspaceId")
      .where("workspaceId", "=", workspaceId)
      .where("importsCountedAt", "is not", null)
      .executeTakeFirst(),
  );
  if (isCounted) return;
  for (let back = 0; back < recountedDays; back++) {
    const day = new Date(Date.now() - back * dayMs).toISOString().slice(0, 10);
    await inSnapshot(app, workspaceId, (tx) => recountDay(tx, workspaceId, day, signal));
  }
  await inWorkspace(app, workspaceId, (tx) => noteImportsCounted(tx, workspaceId));
}

interface Counted {
  readonly bucket: Date;
  readonly campaign_id: string;
  readonly status: string;
  readonly failure_code: string;
  count: number;
}

async function recountDay(tx: Db, workspaceId: string, day: string, signal?: AbortSignal): Promise<void> {
  // One entry per quarter of an hour, campaign and outcome.
  const counted = new Map<string, Counted>();
  const where = sql`imported_on = ${day}::date`;
  for await (const page of idPages(tx, { table: "call", workspaceId, where, rows: pageSize, partitions: 12 })) {
    signal?.throwIfAborted();
    const { rows } = await sql<Counted & { campaignId: string; failureCode: string }>`
      select import_bucket(created_at) as bucket, campaign_id, status, coalesce(failure_code, '') as failure_code,
        count(*) as count
      from call where workspace_id = ${workspaceId} and ${where} and ${within(page)} group by 1, 2, 3, 4`.execute(tx);
    for (const { bucket, campaignId: campaign_id, status, failureCode: failure_code, count } of rows) {
      const key = JSON.stringify([bucket, campaign_id, status, failure_code]);
      const known = counted.get(key);
      if (known) known.count += count;
      else counted.set(key, { bucket, campaign_id, status, failure_code, count });
    }
  }
  await insertDifference(tx, workspaceId, day, [...counted.values()]);
}

async function insertDifference(tx: Db, workspaceId: string, day: string, found: readonly Counted[]): Promise<void> {
  const ofDay = sql`workspace_id = ${workspaceId}
    and bucket >= ${day}::date::timestamp at time zone 'UTC' and bucket < (${day}::date + 1)::timestamp at time zone 'UTC'`;
  await sql`
    insert into import_delta (workspace_id, bucket, campaign_id, status, failure_code, count)
    select ${workspaceId}, bucket, campaign_id, status, failure_code, sum(count) from (
      select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as found (bucket timestamptz, campaign_id text, status text, failure_code text, count bigint)
      union all select bucket, campaign_id, status, failure_code, -count from import_count where ${ofDay}
      union all select bucket, campaign_id, status, failure_code, -count from import_delta where ${ofDay}
    ) as difference
    group by bucket, campaign_id, status, failure_code having sum(count) <> 0`.execute(tx);
}
