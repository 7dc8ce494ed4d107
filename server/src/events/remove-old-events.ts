import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { isLockTimeout } from "../platform/database/errors.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { defineJob } from "../platform/queue/queue.ts";
import type { Position } from "./event-id.ts";
import { afterPosition, settled } from "./read-events.ts";

const batchSize = 10_000;
const dropAttempts = 30;
const dropRetryMs = 1_000;
/** Event order and `created_at` order can differ by the duration of a transaction, which is far less than this. */
const slackMs = 3_600_000;

/**
 * Hides events created before a time from readers, in event order. Returns their number. The rows remain until their partition
 * is dropped.
 */
export async function removeEventsBefore(app: App, workspaceId: string, before: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await inWorkspace(app, workspaceId, async (tx) => {
      const removal = await tx
        .selectFrom("eventRemoval")
        .select(["epoch", "xid", "seq"])
        .where("workspaceId", "=", workspaceId)
        .executeTakeFirst();
      const { rows: oldest } = await sql<Position & { old: boolean }>`
        select epoch, xid, seq, created_at < ${before} as old from event
        where workspace_id = ${workspaceId} and ${afterPosition(removal ?? { epoch: 0, xid: 0, seq: 0 })} and ${settled}
        order by epoch, xid, seq limit ${batchSize}`.execute(tx);
      const firstKept = oldest.findIndex(({ old }) => !old);
      const expired = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
      const last = expired.at(-1);
      if (!last) return 0;
      const { epoch, xid, seq } = last;
      await tx
        .insertInto("eventRemoval")
        .values({ workspaceId, epoch, xid, seq })
        .onConflict((conflict) => conflict.column("workspaceId").doUpdateSet({ epoch, xid, seq }))
        .execute();
      return expired.length;
    });
    removed += count;
    if (count < batchSize) return removed;
  }
}

/** Drops the oldest monthly partition that ended before a time. Retries, because a long transaction may hold the lock. */
async function dropPartition(app: App, before: Date): Promise<string | null> {
  const ended = new Date(before.getTime() - slackMs);
  for (let tries = 1; ; tries++) {
    try {
      const { rows } = await sql<{ name: string | null }>`select drop_event_month(${ended}) as name`.execute(app.db);
      return rows[0]?.name ?? null;
    } catch (error) {
      if (!isLockTimeout(error) || tries === dropAttempts) throw error;
      await sleep(dropRetryMs);
    }
  }
}

/** Drops the partitions of expired events, which readers no longer see. Returns the names of the dropped tables. */
export async function dropPartitionsBefore(app: App, before: Date): Promise<string[]> {
  const dropped: string[] = [];
  for (let name = await dropPartition(app, before); name; name = await dropPartition(app, before)) dropped.push(name);
  return dropped;
}

export const removeOldEvents = defineJob({
  name: "event.remove-old",
  schedule: "41 2 * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const before = new Date(Date.now() - app.config.events.retentionMs);
    const workspaces = await app.db.selectFrom("workspace").select("id").execute();
    let removed = 0;
    for (const { id } of workspaces) removed += await withRetries(() => removeEventsBefore(app, id, before));
    const tables = await dropPartitionsBefore(app, before);
    if (removed > 0 || tables.length > 0) app.log.info({ removed, tables }, "removed old events");
  },
});
