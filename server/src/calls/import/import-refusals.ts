import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { openWriteBehind } from "../../platform/async/write-behind.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";

const flushIntervalMs = 2_000;
/** Bounds the buffer. When it is full, new refusals are counted without their campaign. */
const maxBuffered = 2_000;
const hourMs = 3600 * 1000;
export const refusalDays = 90;

export interface Refusal {
  readonly workspaceId: string;
  readonly code: string;
  /** From the request, unchecked. Stored only if the campaign exists. */
  readonly campaignId: string | undefined;
}

/** Write-behind counter: counts rejected imports in memory and flushes them to the database every few seconds. */
export interface ImportRefusals {
  add(refusal: Refusal): void;
  /** Flushes the buffer. */
  close(): Promise<void>;
}

interface BufferedRefusal extends Refusal {
  readonly hour: Date;
  readonly count: number;
}

const nameOf = ({ workspaceId, hour, code, campaignId }: BufferedRefusal) =>
  JSON.stringify([workspaceId, hour.getTime(), code, campaignId]);

export function openImportRefusals(app: App): ImportRefusals {
  const refusals = openWriteBehind<string, BufferedRefusal>({
    intervalMs: flushIntervalMs,
    merge: (buffered, { count }) => ({ ...buffered, count: buffered.count + count }),
    maxEntries: maxBuffered,
    whenFull(refusal) {
      if (refusal.campaignId === undefined) return undefined;
      const withoutCampaign = { ...refusal, campaignId: undefined };
      return [nameOf(withoutCampaign), withoutCampaign];
    },
    async write(batch) {
      const failed: (readonly [string, BufferedRefusal])[] = [];
      for (const [workspaceId, entries] of Map.groupBy(batch, ([, refusal]) => refusal.workspaceId)) {
        const counted = entries.map(([, refusal]) => refusal);
        await writeRefusals(app, workspaceId, counted).catch((err) => {
          app.log.warn({ err, workspaceId }, "could not store refused imports; retrying");
          failed.push(...entries);
        });
      }
      return failed;
    },
  });
  return {
    add(refusal) {
      const now = Date.now();
      const counted = { ...refusal, hour: new Date(now - (now % hourMs)), count: 1 };
      refusals.add(nameOf(counted), counted);
    },
    close: refusals.close,
  };
}

async function writeRefusals(app: App, workspaceId: string, refusals: readonly BufferedRefusal[]): Promise<void> {
  const rows = refusals.map(({ hour, code, campaignId, count }) => ({
    hour,
    code,
    campaign: campaignId ?? null,
    count,
  }));
  await inWorkspace(app, workspaceId, async (tx) => {
    // Skips erased workspaces. Names of unknown campaigns are merged into one row without a campaign.
    await sql`
      insert into import_refusal as noted (workspace_id, hour, code, campaign_id, count)
      select ${workspaceId}, sent.hour, sent.code, campaign.id, sum(sent.count)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as sent (hour timestamptz, code text, campaign text, count bigint)
      left join campaign on campaign.workspace_id = ${workspaceId} and campaign.id = sent.campaign
      where exists (select from workspace where id = ${workspaceId} and erased_at is null)
      group by sent.hour, sent.code, campaign.id
      order by sent.hour, sent.code, campaign.id
      on conflict (workspace_id, hour, code, campaign_id) do update set count = noted.count + excluded.count`.execute(
      tx,
    );
    await tx
      .deleteFrom("importRefusal")
      .where("workspaceId", "=", workspaceId)
      .where("hour", "<", new Date(Date.now() - refusalDays * 24 * hourMs))
      .execute();
  });
}
