import { announce } from "../events/announce.ts";
import { toEventId } from "../events/event-id.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { findEnabledEndpoint } from "./find-endpoint.ts";
import { queueDeliveries } from "./queue-deliveries.ts";

/** Sends a test event to one endpoint and to no other. */
export async function testEndpoint(app: App, workspaceId: string, id: string) {
  return inWorkspace(app, workspaceId, async (tx) => {
    await findEnabledEndpoint(tx, workspaceId, id);
    const position = await announce(tx, { workspaceId, type: "webhook.test", data: { webhook_id: id } });
    const [deliveryId = ""] = await queueDeliveries(tx, { workspaceId, endpointId: id }, [
      { ...position, type: "webhook.test" },
    ]);
    return { eventId: toEventId(position), deliveryId };
  });
}
