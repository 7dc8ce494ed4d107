import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { firstIdOf } from "../platform/ids-by-time.ts";
import { defineJob } from "../platform/queue.ts";

const batch = 2_000;

/** Removes deliveries that were settled before a time. Gives how many they were. */
export async function removeDeliveriesBefore(app: App, workspaceId: string, before: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await inWorkspace(app, workspaceId, (tx) =>
      sql`
        delete from webhook_delivery where workspace_id = ${workspaceId} and id in (
          select id from webhook_delivery
          where workspace_id = ${workspaceId} and id < ${firstIdOf(before)}
            and state <> 'pending' and settled_at < ${before}
          order by id limit ${batch}
        )`.execute(tx),
    );
    removed += Number(numAffectedRows);
    if (numAffectedRows < batch) return removed;
  }
}

export const removeOldDeliveries = defineJob({
  name: "delivery.remove-old",
  schedule: "51 2 * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const before = new Date(Date.now() - app.config.events.retentionMs);
    const workspaces = await app.db.selectFrom("workspace").select("id").execute();
    let removed = 0;
    for (const { id } of workspaces) removed += await removeDeliveriesBefore(app, id, before);
    if (removed > 0) app.log.info({ removed }, "old deliveries removed");
  },
});
