import { sql } from "kysely";
import { type Position, toEventId } from "../events/event-id.ts";
import { behind, type StoredEvent, upTo } from "../events/read-events.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import type { Endpoint } from "./endpoint-body.ts";
import { findEnabledEndpoint } from "./find-endpoint.ts";
import { queueDeliveries } from "./queue-deliveries.ts";

export type ReplayInput =
  | { readonly event: Position }
  | {
      /** From this time on, and before that one. */
      readonly from: Date | undefined;
      readonly to: Date | undefined;
      /** Behind this event, and up to that one. */
      readonly after: Position | undefined;
      readonly until: Position | undefined;
    };

type Told = Pick<StoredEvent, "epoch" | "xid" | "seq" | "type">;

const mostAtOnce = 10_000;

/** Sends events to an endpoint again. Each arrives with the id that it had. */
export async function replayEvents(app: App, workspaceId: string, endpointId: string, input: ReplayInput) {
  return inWorkspace(app, workspaceId, async (tx) => {
    const endpoint = await findEnabledEndpoint(tx, workspaceId, endpointId);
    const found = "event" in input ? await findOne(tx, endpoint, input.event) : await findSome(tx, endpoint, input);
    const events = found.slice(0, mostAtOnce);
    await queueDeliveries(tx, { workspaceId, endpointId }, events);
    const last = events.at(-1);
    return { queued: events.length, next: found.length > mostAtOnce && last ? toEventId(last) : null };
  });
}

async function findOne(tx: Db, { workspaceId, id }: Endpoint, position: Position): Promise<Told[]> {
  const event = await tx
    .selectFrom("event")
    .select(["epoch", "xid", "seq", "type", "data"])
    .where("workspaceId", "=", workspaceId)
    .where("epoch", "=", position.epoch)
    .where("xid", "=", position.xid)
    .where("seq", "=", position.seq)
    .executeTakeFirst();
  const anothersTest = event?.type === "webhook.test" && (event.data as { webhook_id?: string }).webhook_id !== id;
  if (event && !anothersTest) return [event];
  const detail = `There is no event ${toEventId(position)} for this webhook. GET /events lists those that are kept.`;
  throw new AppError("event_not_found", detail);
}

type Range = Exclude<ReplayInput, { event: Position }>;

/** What the endpoint is told of anyway, because it stands behind its cursor, is not told twice. */
async function findSome(tx: Db, endpoint: Endpoint, { from, to, after, until }: Range): Promise<Told[]> {
  const { workspaceId, types, cursorEpoch: epoch, cursorXid: xid, cursorSeq: seq } = endpoint;
  const { rows } = await sql<Told>`
    select epoch, xid, seq, type from event
    where workspace_id = ${workspaceId}
      and ${upTo({ epoch, xid, seq })}
      and ${after ? behind(after) : sql`true`}
      and ${until ? upTo(until) : sql`true`}
      and ${from ? sql`created_at >= ${from}` : sql`true`}
      and ${to ? sql`created_at < ${to}` : sql`true`}
      and ${types.length > 0 ? sql`type = any(${types}::text[])` : sql`true`}
      and type <> 'webhook.test'
    order by epoch, xid, seq limit ${mostAtOnce + 1}`.execute(tx);
  return rows;
}
