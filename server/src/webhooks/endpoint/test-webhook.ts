import { emitEvent } from "../../events/emit-event.ts";
import { readEventIds } from "../../events/event-id.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { queueDeliveries } from "../queue/queue-deliveries.ts";
import { findEnabledWebhook } from "./find-webhook.ts";

/** Queues a test event for one webhook. */
export async function testWebhook(app: App, workspaceId: string, id: string) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const webhook = await findEnabledWebhook(tx, workspaceId, id);
    const position = await emitEvent(tx, { workspaceId, type: "webhook.test", data: { webhook_id: id } });
    const events = [{ ...position, type: "webhook.test" }];
    const [deliveryId = ""] = await queueDeliveries(app, tx, webhook, events, { now: true });
    const ids = await readEventIds(tx, workspaceId);
    return { eventId: ids.toId(position), deliveryId };
  });
}
