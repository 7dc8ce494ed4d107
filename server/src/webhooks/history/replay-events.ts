import { sql } from "kysely";
import { type EventIds, type Position, readEventIds } from "../../events/event-id.ts";
import { invalidEventId } from "../../events/list-events.ts";
import { afterPosition, type StoredEvent, upToPosition } from "../../events/read-events.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { findEnabledWebhook } from "../endpoint/find-webhook.ts";
import { eventNotFound } from "../errors.ts";
import { queueDeliveries } from "../queue/queue-deliveries.ts";
import type { Webhook } from "../webhook-body.ts";

export type ReplayInput =
  | { readonly eventId: string }
  | {
      /** Inclusive start time and exclusive end time. */
      readonly from: Date | undefined;
      readonly to: Date | undefined;
      /** Event ids: after this one, up to and including that one. */
      readonly after: string | undefined;
      readonly until: string | undefined;
    };

type EventToDeliver = Pick<StoredEvent, "epoch" | "xid" | "seq" | "type">;

const maxEvents = 10_000;

/** Sends events to a webhook again, with their original ids. */
export async function replayEvents(app: App, workspaceId: string, endpointId: string, input: ReplayInput) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const webhook = await findEnabledWebhook(tx, workspaceId, endpointId);
    const ids = await readEventIds(tx, workspaceId);
    const found =
      "eventId" in input ? await findOne(tx, webhook, ids, input.eventId) : await findRange(tx, webhook, ids, input);
    const events = found.slice(0, maxEvents);
    await queueDeliveries(app, tx, webhook, events, { now: true });
    const last = events.at(-1);
    return { queued: events.length, next: found.length > maxEvents && last ? ids.toId(last) : null };
  });
}

async function findOne(
  tx: Db,
  { workspaceId, id }: Webhook,
  ids: EventIds,
  eventId: string,
): Promise<EventToDeliver[]> {
  const position = ids.toPosition(eventId);
  const event = position && (await findEvent(tx, workspaceId, position));
  const isOtherWebhooksTest =
    event?.type === "webhook.test" && (event.data as { webhook_id?: string }).webhook_id !== id;
  if (event && !isOtherWebhooksTest) return [event];
  throw eventNotFound(eventId);
}

const findEvent = (tx: Db, workspaceId: string, { epoch, xid, seq }: Position) =>
  tx
    .selectFrom("event")
    .select(["epoch", "xid", "seq", "type", "data"])
    .where("workspaceId", "=", workspaceId)
    .where("epoch", "=", epoch)
    .where("xid", "=", xid)
    .where("seq", "=", seq)
    .executeTakeFirst();

type Range = Exclude<ReplayInput, { eventId: string }>;

function toPosition(ids: EventIds, part: string, id: string | undefined): Position | undefined {
  const position = id === undefined ? undefined : ids.toPosition(id);
  if (id !== undefined && !position) throw invalidEventId(part);
  return position;
}

/** Excludes events after the webhook's cursor, which the fan-out will deliver anyway. */
async function findRange(tx: Db, webhook: Webhook, ids: EventIds, range: Range): Promise<EventToDeliver[]> {
  const { from, to } = range;
  const after = toPosition(ids, "after", range.after);
  const until = toPosition(ids, "until", range.until);
  const { workspaceId, types, cursorEpoch: epoch, cursorXid: xid, cursorSeq: seq } = webhook;
  const { rows } = await sql<EventToDeliver>`
    select epoch, xid, seq, type from event
    where workspace_id = ${workspaceId}
      and ${upToPosition({ epoch, xid, seq })}
      and ${after ? afterPosition(after) : sql`true`}
      and ${until ? upToPosition(until) : sql`true`}
      and ${from ? sql`created_at >= ${from}` : sql`true`}
      and ${to ? sql`created_at < ${to}` : sql`true`}
      and ${types.length > 0 ? sql`type = any(${types}::text[])` : sql`true`}
      and type <> 'webhook.test'
    order by epoch, xid, seq limit ${maxEvents + 1}`.execute(tx);
  return rows;
}
