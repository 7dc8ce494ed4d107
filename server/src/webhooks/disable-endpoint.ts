import type { Db } from "../platform/database/database.ts";

export type DisabledReason = "by_request" | "gone" | "failing";

/** Sends nothing more to an endpoint and cancels what waits. The caller holds its row. */
export async function disableEndpoint(tx: Db, workspaceId: string, id: string, reason: DisabledReason): Promise<void> {
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
