import { sql } from "kysely";
import type { Position } from "../../events/event-id.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { newUuidsV7 } from "../../platform/uuid-v7.ts";
import type { Webhook } from "../webhook-body.ts";
import { probeDelay } from "./circuit-breaker.ts";
import { wakeWebhook } from "./delivery-lease.ts";

/** Rows per insert. PostgreSQL accepts at most 65,535 parameters. */
const chunkSize = 2_000;

type EventToDeliver = Position & { readonly type: string };

type Receiver = Pick<Webhook, "workspaceId" | "id" | "failingSince">;

interface QueueOptions {
  /** Requested by a user: probes a failing webhook immediately instead of after its pause. */
  readonly now: boolean;
}

/** Inserts a delivery of each event for a webhook and makes the webhook due. Returns the delivery ids. */
export async function queueDeliveries(
  app: App,
  tx: Db,
  { workspaceId, id: endpointId, failingSince }: Receiver,
  events: readonly EventToDeliver[],
  { now }: QueueOptions,
): Promise<string[]> {
  const ids = newUuidsV7(events.length);
  const rows = events.map(({ epoch, xid, seq, type }, index) => ({
    workspaceId,
    id: ids[index] ?? "",
    endpointId,
    eventEpoch: epoch,
    eventXid: xid,
    eventSeq: seq,
    eventType: type,
    dueAt: sql<Date>`now()`,
    log: "[]",
  }));
  for (let from = 0; from < rows.length; from += chunkSize) {
    await tx
      .insertInto("webhookDelivery")
      .values(rows.slice(from, from + chunkSize))
      .execute();
  }
  if (events.length === 0) return ids;
  const { retryFactor: factor } = app.config.webhooks;
  const pauseMs = now || !failingSince ? 0 : probeDelay({ failingSince, now: new Date(), factor });
  await wakeWebhook(tx, endpointId, pauseMs);
  return ids;
}
