import { z } from "zod";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { wakeWebhook } from "./delivery-lease.ts";

/** Handles remaining jobs of older releases, which had one job per delivery: makes the webhook due. */
export const deliverEvent = defineJob({
  name: "event.deliver",
  payload: z.object({ workspaceId: z.uuid(), deliveryId: z.uuid() }),
  async run(app, { workspaceId, deliveryId }) {
    await inWorkspace(app, workspaceId, async (tx) => {
      const delivery = await tx
        .selectFrom("webhookDelivery")
        .select("endpointId")
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", deliveryId)
        .executeTakeFirst();
      if (delivery) await wakeWebhook(tx, delivery.endpointId);
    });
  },
});
