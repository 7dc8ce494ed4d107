import { sql } from "kysely";
import { z } from "zod";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob } from "../../platform/queue/queue.ts";

const batchSize = 2_000;

/** Deletes the deliveries of a deleted webhook, in short transactions: a long one would delay events. */
export const deleteDeliveries = defineJob({
  name: "webhook.delete-deliveries",
  payload: z.object({ workspaceId: z.uuid(), endpointId: z.uuid() }),
  async run(app, { workspaceId, endpointId }, signal) {
    for (;;) {
      signal?.throwIfAborted();
      const { numAffectedRows = 0n } = await inWorkspace(app, workspaceId, (tx) =>
        sql`
          delete from webhook_delivery where workspace_id = ${workspaceId} and id = any(array(
            select id from webhook_delivery
            where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}
              and not exists (select from webhook_endpoint where workspace_id = ${workspaceId} and id = ${endpointId})
            order by id limit ${batchSize}
          ))`.execute(tx),
      );
      if (numAffectedRows < batchSize) return;
    }
  },
});
