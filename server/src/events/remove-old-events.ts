import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue.ts";
import { readEvents, upTo } from "./read-events.ts";

const batch = 2_000;

/** Removes the oldest events of a workspace, and notes up to where. Gives how many they were. */
export async function removeEventsBefore(app: App, workspaceId: string, before: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await inWorkspace(app, workspaceId, async (tx) => {
      const oldest = await readEvents(tx, workspaceId, { limit: batch });
      const firstKept = oldest.findIndex((event) => event.createdAt >= before);
      const old = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
      const last = old.at(-1);
      if (!last) return 0;
      const { epoch, xid, seq } = last;
      await tx
        .insertInto("eventRemoval")
        .values({ workspaceId, epoch, xid, seq })
        .onConflict((conflict) => conflict.column("workspaceId").doUpdateSet({ epoch, xid, seq }))
        .execute();
      // In order and limited, so that the primary key is used; by the condition alone every event would be read.
      await sql`
        delete from event using (
          select epoch, xid, seq from event where workspace_id = ${workspaceId} and ${upTo(last)}
          order by epoch, xid, seq limit ${old.length}
        ) as old
        where event.workspace_id = ${workspaceId}
          and (event.epoch, event.xid, event.seq) = (old.epoch, old.xid, old.seq)`.execute(tx);
      return old.length;
    });
    removed += count;
    if (count < batch) return removed;
  }
}

export const removeOldEvents = defineJob({
  name: "event.remove-old",
  schedule: "41 2 * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const before = new Date(Date.now() - app.config.events.retentionMs);
    const workspaces = await app.db.selectFrom("workspace").select("id").execute();
    let removed = 0;
    for (const { id } of workspaces) removed += await removeEventsBefore(app, id, before);
    if (removed > 0) app.log.info({ removed }, "old events removed");
  },
});
