import type { AttemptBody, DeliveryBody, ListDeliveriesQuery } from "@hearback/contract";
import type { Selectable } from "kysely";
import { toEventId } from "../events/event-id.ts";
import type { Db } from "../platform/database/database.ts";
import type { WebhookDelivery } from "../platform/database/tables.ts";
import { findEndpoint } from "./find-endpoint.ts";

/** What was sent to an endpoint, or is to be, newest first. */
export async function listDeliveries(tx: Db, workspaceId: string, endpointId: string, query: ListDeliveriesQuery) {
  const { state, cursor, limit } = query;
  await findEndpoint(tx, workspaceId, endpointId);
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
  const deliveries = found.slice(0, limit);
  return { deliveries, next: found.length > limit ? (deliveries.at(-1)?.id ?? null) : null };
}

export function toDeliveryBody(delivery: Selectable<WebhookDelivery>): DeliveryBody {
  const { eventEpoch: epoch, eventXid: xid, eventSeq: seq, dueAt, settledAt } = delivery;
  return {
    id: delivery.id,
    event_id: toEventId({ epoch, xid, seq }),
    type: delivery.eventType,
    state: delivery.state as DeliveryBody["state"],
    attempts: delivery.log as AttemptBody[],
    next_attempt_at: delivery.state === "pending" && dueAt ? dueAt.toISOString() : null,
    created_at: delivery.createdAt.toISOString(),
    settled_at: settledAt?.toISOString() ?? null,
  };
}
