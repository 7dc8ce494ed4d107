import { mostSummaryCampaigns } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { type DayStart, dayStarts } from "./day-starts.ts";

interface Counted {
  /** Null: none, or one that is not among those told apart. */
  readonly campaignId: string | null;
  readonly count: number;
}

interface Came extends Counted {
  /** Its place among the days. */
  readonly day: number;
  readonly status: string;
  readonly failureCode: string | null;
}

interface Refused extends Counted {
  readonly code: string;
}

export interface ImportSummary {
  readonly days: readonly DayStart[];
  readonly to: Date;
  /** Those that are told apart, most calls first. */
  readonly campaigns: readonly { readonly id: string; readonly name: string }[];
  readonly came: readonly Came[];
  readonly refused: readonly Refused[];
}

const dayMs = 24 * 3600 * 1000;

/** What came in during the last days of a zone, counted from the calls that are there, and what was refused. */
export async function importSummary(
  app: App,
  { workspaceId }: { readonly workspaceId: string },
  { days: howMany, zone }: { readonly days: number; readonly zone: string },
): Promise<ImportSummary> {
  const to = new Date();
  const days = dayStarts(zone, howMany, to);
  return inWorkspace(app, workspaceId, async (tx) => {
    const came = await countCalls(tx, workspaceId, days, to);
    const refused = await countRefused(tx, workspaceId, days[0]?.startsAt ?? to);
    const ids = mostFrequent(came, refused);
    const campaigns = await nameCampaigns(tx, workspaceId, ids);
    const toldApart = <Row extends Counted>(row: Row) =>
      ids.includes(row.campaignId ?? "") ? row : { ...row, campaignId: null };
    return { days, to, campaigns, came: came.map(toldApart), refused: refused.map(toldApart) };
  });
}

/** Found by the day of import in UTC, which has an index, and parted by the zone's own midnights. */
async function countCalls(tx: Db, workspaceId: string, days: readonly DayStart[], to: Date): Promise<Came[]> {
  const starts = days.map(({ startsAt }) => startsAt);
  const from = starts[0] ?? to;
  const { rows } = await sql<Came>`
    select width_bucket(created_at, ${starts}::timestamptz[]) - 1 as day, campaign_id, status, failure_code, count(*) as count
    from call
    where workspace_id = ${workspaceId} and created_at >= ${from}
      and imported_on between ${utcDay(from)}::date and ${utcDay(new Date(to.getTime() + dayMs))}::date
    group by 1, 2, 3, 4`.execute(tx);
  return rows;
}

const utcDay = (at: Date) => at.toISOString().slice(0, 10);

async function countRefused(tx: Db, workspaceId: string, from: Date): Promise<Refused[]> {
  const { rows } = await sql<Refused>`
    select code, campaign_id, sum(count)::bigint as count from import_refusal
    where workspace_id = ${workspaceId} and hour >= ${from}
    group by 1, 2`.execute(tx);
  return rows;
}

/** The campaigns with the most calls, then those with the most refusals. */
function mostFrequent(came: readonly Came[], refused: readonly Refused[]): string[] {
  const totals = (rows: readonly Counted[]) => {
    const counts = new Map<string, number>();
    for (const { campaignId, count } of rows) {
      if (campaignId !== null) counts.set(campaignId, (counts.get(campaignId) ?? 0) + count);
    }
    return [...counts].sort(([, a], [, b]) => b - a).map(([id]) => id);
  };
  return [...new Set([...totals(came), ...totals(refused)])].slice(0, mostSummaryCampaigns);
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
