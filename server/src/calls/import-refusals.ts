import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";

const everyMs = 2_000;
/** Refusals that are told apart while they wait; of more, the campaign is not noted. */
const mostWaiting = 2_000;
const hourMs = 3600 * 1000;
export const refusalDays = 90;

export interface Refusal {
  readonly workspaceId: string;
  readonly code: string;
  /** As it was sent: it is noted only if there is such a campaign. */
  readonly campaignId: string | undefined;
}

/** Counts the imports that this process refused, and notes them in the database every few seconds. */
export interface ImportRefusals {
  note(refusal: Refusal): void;
  /** Notes what is left. */
  close(): Promise<void>;
}

interface Waiting extends Refusal {
  readonly hour: Date;
  count: number;
}

export function openImportRefusals(app: App): ImportRefusals {
  let waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function add(refusal: Refusal, hour: Date, count: number): void {
    const name = JSON.stringify([refusal.workspaceId, hour.getTime(), refusal.code, refusal.campaignId]);
    const there = waiting.get(name);
    if (there) there.count += count;
    else if (waiting.size < mostWaiting) waiting.set(name, { ...refusal, hour, count });
    else if (refusal.campaignId !== undefined) add({ ...refusal, campaignId: undefined }, hour, count);
  }

  async function write(): Promise<void> {
    const taken = Map.groupBy(waiting.values(), ({ workspaceId }) => workspaceId);
    waiting = new Map();
    for (const [workspaceId, refusals] of taken) {
      await writeRefusals(app, workspaceId, refusals).catch((err) => {
        app.log.warn({ err, workspaceId }, "refused imports could not be counted yet");
        for (const { hour, count, ...refusal } of refusals) add(refusal, hour, count);
      });
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), everyMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    writing = write();
    await writing;
    if (waiting.size > 0) schedule();
  }

  return {
    note(refusal) {
      const now = Date.now();
      add(refusal, new Date(now - (now % hourMs)), 1);
      schedule();
    },
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

async function writeRefusals(app: App, workspaceId: string, refusals: readonly Waiting[]): Promise<void> {
  const rows = refusals.map(({ hour, code, campaignId, count }) => ({
    hour,
    code,
    campaign: campaignId ?? null,
    count,
  }));
  await inWorkspace(app, workspaceId, async (tx) => {
    // An erased workspace stays empty. Several names that no campaign has become one row.
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
