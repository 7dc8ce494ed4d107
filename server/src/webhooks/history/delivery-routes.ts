import { DeliveryPageBody, ListDeliveriesQuery, ReplayBody, ReplayedBody, WebhookTestBody } from "@hearback/contract";
import { readEventIds } from "../../events/event-id.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { testWebhook } from "../endpoint/test-webhook.ts";
import { eventNotFound, webhookDisabled, webhookNotFound } from "../errors.ts";
import { listDeliveries, toDeliveryBody } from "./list-deliveries.ts";
import { replayEvents } from "./replay-events.ts";
import { toReplayInput } from "./replay-input.ts";

const managed = { tag: "Webhooks", access: ["manage"] } as const;

export function deliveryRoutes(api: Api, app: App): void {
  route(api, {
    ...managed,
    method: "POST",
    path: "/webhooks/:id/test",
    id: "testWebhook",
    summary: "Send a test event",
    description: "Sends a `webhook.test` event to this webhook only, whatever event types it subscribes to.",
    answers: { 202: [WebhookTestBody, "The test event is queued."] },
    errors: [webhookNotFound, webhookDisabled],
  }).handle(async ({ caller: { workspaceId }, params: { id }, about }) => {
    const { eventId, deliveryId } = await testWebhook(app, workspaceId, id);
    about.deliveryId = deliveryId;
    return { event_id: eventId, delivery_id: deliveryId };
  });

  route(api, {
    ...managed,
    method: "GET",
    path: "/webhooks/:id/deliveries",
    id: "listWebhookDeliveries",
    summary: "List deliveries",
    description: "Returns the deliveries of a webhook, sent and pending, newest first, each with all its attempts.",
    query: ListDeliveriesQuery,
    answers: { 200: [DeliveryPageBody, "A page of deliveries."] },
    errors: [webhookNotFound],
  }).handle(async ({ caller: { workspaceId }, params: { id }, query }) => {
    const { ids, page } = await inWorkspace(app, workspaceId, async (tx) => ({
      page: await listDeliveries(tx, workspaceId, id, query),
      ids: await readEventIds(tx, workspaceId),
    }));
    return { deliveries: page.deliveries.map((delivery) => toDeliveryBody(delivery, ids)), next: page.next };
  });

  route(api, {
    ...managed,
    method: "POST",
    path: "/webhooks/:id/replay",
    id: "replayWebhook",
    summary: "Replay events",
    description:
      "Sends one event again, or all events in a range that this webhook subscribes to, with their original ids. Replays at most 10,000 events per request; if there are more, pass `next` as `after` to continue.",
    body: ReplayBody,
    answers: { 202: [ReplayedBody, "The events are queued."] },
    errors: [webhookNotFound, eventNotFound, webhookDisabled],
  }).handle(async ({ caller: { workspaceId }, params: { id }, body, about }) => {
    const replayed = await replayEvents(app, workspaceId, id, toReplayInput(body));
    about.queued = replayed.queued;
    return replayed;
  });
}
