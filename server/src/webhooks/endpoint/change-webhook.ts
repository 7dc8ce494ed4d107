import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { findHorizon } from "../../events/read-events.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { changedFields } from "../../platform/changed-fields.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { withRetries } from "../../platform/database/with-retries.ts";
import { wakeWebhook } from "../queue/delivery-lease.ts";
import { checkUrl } from "./create-webhook.ts";
import { disableWebhook } from "./disable-webhook.ts";
import { findWebhook } from "./find-webhook.ts";

export interface ChangeWebhookInput {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** Updates the fields that differ. A webhook that is enabled again receives events from then on. */
export async function changeWebhook(app: App, by: WorkspaceActor, id: string, input: ChangeWebhookInput) {
  const { workspaceId, actor } = by;
  const { url, description, types, enabled } = input;
  const change = () =>
    inWorkspace(app, workspaceId, async (tx) => {
      const before = await findWebhook(tx, workspaceId, id, { lock: true });
      if (url !== undefined) checkUrl(app, url);
      const values = changedFields(before, { url, description, types: types && [...new Set(types)] });
      const toggled = enabled !== undefined && enabled === (before.disabledAt !== null);
      const changed = [...Object.keys(values), ...(toggled ? ["enabled"] : [])];
      if (changed.length === 0) return before;
      if (Object.keys(values).length > 0) {
        const row = tx.updateTable("webhookEndpoint").set(values);
        await row.where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
      }
      // Ends the pause of a failing webhook, so that pending deliveries go to the new URL immediately.
      if (values.url !== undefined) await wakeWebhook(tx, id);
      if (toggled && enabled) await enable(tx, workspaceId, id);
      if (toggled && !enabled) await disableWebhook(tx, workspaceId, id, "by_request");
      const webhook = await findWebhook(tx, workspaceId, id);
      const subject = { type: "webhook", id };
      await recordAuditEntry(tx, workspaceId, { actor, action: "webhook.changed", subject, data: { changed } });
      return webhook;
    });
  return withRetries(change);
}

async function enable(tx: Db, workspaceId: string, id: string): Promise<void> {
  const { epoch, xid, seq } = await findHorizon(tx);
  await tx
    .updateTable("webhookEndpoint")
    .set({
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      cursorEpoch: epoch,
      cursorXid: xid,
      cursorSeq: seq,
    })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
  await tx.insertInto("webhookFollower").values({ endpointId: id, workspaceId }).execute();
}
