import type { AttemptBody, DeliveryBody, ListDeliveriesQuery } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { EventIds } from "../../events/event-id.ts";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import type { WebhookDelivery } from "../../platform/database/tables.ts";
import { findWebhook } from "../endpoint/find-webhook.ts";

/** Lists the deliveries of a webhook, newest first. */
export async function listDeliveries(tx: Db, workspaceId: string, endpointId: string, query: ListDeliveriesQuery) {
  const { state, cursor, limit } = query;
  await findWebhook(tx, workspaceId, endpointId);
  const found = await tx
    .selectFrom("webhookDelivery")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("endpointId", "=", endpointId)
    .$if(state !== undefined, (rows) => rows.where("state", "=", state ?? ""))
    .$if(cursor !== undefined, (rows) => rows.where("id", "<", cursor ?? ""))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: deliveries, next } = toPage(found, limit, ({ id }) => id);
  return { deliveries, next };
}

export function toDeliveryBody(delivery: Selectable<WebhookDelivery>, ids: EventIds): DeliveryBody {
  const { eventEpoch: epoch, eventXid: xid, eventSeq: seq, dueAt, settledAt } = delivery;
  return {
    id: delivery.id,
    event_id: ids.toId({ epoch, xid, seq }),
    type: delivery.eventType,
    state: delivery.state as DeliveryBody["state"],
    attempts: delivery.log as AttemptBody[],
    next_attempt_at: delivery.state === "pending" && dueAt ? dueAt.toISOString() : null,
    created_at: delivery.createdAt.toISOString(),
    settled_at: settledAt?.toISOString() ?? null,
  };
}
