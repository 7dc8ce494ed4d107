import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { findEndpoint } from "./find-endpoint.ts";

/** Removes an endpoint with the record of what was sent to it. */
export async function deleteEndpoint(app: App, { workspaceId, actor }: Acting, id: string): Promise<void> {
  const remove = () =>
    inWorkspace(app, workspaceId, async (tx) => {
      await findEndpoint(tx, workspaceId, id, { lock: true });
      await tx.deleteFrom("webhookFollower").where("endpointId", "=", id).execute();
      const row = tx.deleteFrom("webhookEndpoint").where("workspaceId", "=", workspaceId);
      await row.where("id", "=", id).execute();
      await record(tx, workspaceId, { actor, action: "webhook.deleted", subject: { type: "webhook", id } });
    });
  await withRetries(remove);
}
