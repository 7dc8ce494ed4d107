import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { withRetries } from "../../platform/database/with-retries.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { deleteDeliveries } from "../queue/delete-deliveries.ts";
import { findWebhook } from "./find-webhook.ts";

/** Deletes a webhook and queues the deletion of its deliveries. */
export async function deleteWebhook(app: App, { workspaceId, actor }: WorkspaceActor, id: string): Promise<void> {
  const remove = () =>
    inWorkspace(app, workspaceId, async (tx) => {
      await findWebhook(tx, workspaceId, id, { lock: true });
      await tx.deleteFrom("webhookFollower").where("endpointId", "=", id).execute();
      const row = tx.deleteFrom("webhookEndpoint").where("workspaceId", "=", workspaceId);
      await row.where("id", "=", id).execute();
      await enqueue(tx, deleteDeliveries, { workspaceId, endpointId: id });
      await recordAuditEntry(tx, workspaceId, { actor, action: "webhook.deleted", subject: { type: "webhook", id } });
    });
  await withRetries(remove);
}
