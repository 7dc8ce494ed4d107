import { maxSummaryCampaigns } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { toWorkspaceBody } from "../../workspaces/workspace-body.ts";
import { type DayStart, dayStarts } from "./day-starts.ts";

interface Counted {
  /** Null if there is no campaign, or if it is not among those listed separately. */
  readonly campaignId: string | null;
  readonly count: number;
}

interface ImportedCount extends Counted {
  /** Index into `days`. */
  readonly day: number;
  readonly status: string;
  readonly failureCode: string | null;
}

interface RefusedCount extends Counted {
  readonly code: string;
}

export interface ImportSummary {
  readonly zone: string;
  readonly days: readonly DayStart[];
  readonly to: Date;
  /** The campaigns listed separately, most calls first. */
  readonly campaigns: readonly { readonly id: string; readonly name: string }[];
  readonly imported: readonly ImportedCount[];
  readonly refused: readonly RefusedCount[];
}

/** Counts the imports of the last days that still exist, and the refused ones. Days are those of the workspace, unless a zone is given. */
export async function importSummary(
  app: App,
  { workspaceId }: { readonly workspaceId: string },
  { days: dayCount, zone: given }: { readonly days: number; readonly zone?: string | undefined },
): Promise<ImportSummary> {
  const to = new Date();
  return inWorkspace(app, workspaceId, async (tx) => {
    const zone = given ?? toWorkspaceBody(await findWorkspace(tx, workspaceId)).settings.time_zone;
    const days = dayStarts(zone, dayCount, to);
    const imported = await countCalls(tx, workspaceId, days, to);
    const refused = await countRefused(tx, workspaceId, days[0]?.startsAt ?? to);
    const ids = largestCampaigns(imported, refused);
    const campaigns = await nameCampaigns(tx, workspaceId, ids);
    const withoutSmallCampaigns = <Row extends Counted>(row: Row) =>
      ids.includes(row.campaignId ?? "") ? row : { ...row, campaignId: null };
    return {
      zone,
      days,
      to,
      campaigns,
      imported: imported.map(withoutSmallCampaigns),
      refused: refused.map(withoutSmallCampaigns),
    };
  });
}

/** Sums the counters by local day. Local midnights always fall on the boundary of a 15-minute bucket. */
async function countCalls(tx: Db, workspaceId: string, days: readonly DayStart[], to: Date): Promise<ImportedCount[]> {
  const starts = days.map(({ startsAt }) => startsAt);
  const from = starts[0] ?? to;
  const { rows } = await sql<ImportedCount>`
    select width_bucket(bucket, ${starts}::timestamptz[]) - 1 as day, campaign_id, status,
      nullif(failure_code, '') as failure_code, sum(count)::bigint as count
    from (
      select bucket, campaign_id, status, failure_code, count from import_count
      where workspace_id = ${workspaceId} and bucket >= ${from}
      union all
      select bucket, campaign_id, status, failure_code, count from import_delta
      where workspace_id = ${workspaceId} and bucket >= ${from}
    ) as counted
    group by 1, 2, 3, 4 having sum(count) > 0`.execute(tx);
  return rows;
}

async function countRefused(tx: Db, workspaceId: string, from: Date): Promise<RefusedCount[]> {
  const { rows } = await sql<RefusedCount>`
    select code, campaign_id, sum(count)::bigint as count from import_refusal
    where workspace_id = ${workspaceId} and hour >= ${from}
    group by 1, 2`.execute(tx);
  return rows;
}

/** The campaigns with the most calls, then those with the most refusals. */
function largestCampaigns(imported: readonly ImportedCount[], refused: readonly RefusedCount[]): string[] {
  const totals = (rows: readonly Counted[]) => {
    const counts = new Map<string, number>();
    for (const { campaignId, count } of rows) {
      if (campaignId !== null) counts.set(campaignId, (counts.get(campaignId) ?? 0) + count);
    }
    return [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id);
  };
  return [...new Set([...totals(imported), ...totals(refused)])].slice(0, maxSummaryCampaigns);
}

async function nameCampaigns(tx: Db, workspaceId: string, ids: readonly string[]) {
  const named = await tx
    .selectFrom("campaign")
    .select(["id", "name"])
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", ids.length > 0 ? ids : [""])
    .execute();
  return named.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
