import type { Db } from "../../platform/database/database.ts";

export type DisabledReason = "by_request" | "gone" | "failing";

/** Disables a webhook and cancels its pending deliveries. The caller must have locked its row. */
export async function disableWebhook(tx: Db, workspaceId: string, id: string, reason: DisabledReason): Promise<void> {
  await tx
    .updateTable("webhookEndpoint")
    .set({ disabledAt: new Date(), disabledReason: reason })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("disabledAt", "is", null)
    .execute();
  await tx.deleteFrom("webhookFollower").where("endpointId", "=", id).execute();
  await tx
    .updateTable("webhookDelivery")
    .set({ state: "cancelled", settledAt: new Date(), dueAt: null })
    .where("workspaceId", "=", workspaceId)
    .where("endpointId", "=", id)
    .where("state", "=", "pending")
    .execute();
}
