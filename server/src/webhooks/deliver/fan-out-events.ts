import { sql } from "kysely";
import { readEvents, settled } from "../../events/read-events.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { queueDeliveries } from "../queue/queue-deliveries.ts";
import type { Webhook } from "../webhook-body.ts";

const batchSize = 500;
const concurrency = 4;

/** True if the webhook subscribes to this event type. */
export const subscribesTo = ({ types }: Pick<Webhook, "types">, type: string) =>
  type !== "webhook.test" && (types.length === 0 || types.includes(type));

/** Fan-out: creates deliveries of new events for every webhook. Returns their number. Safe to run in several workers. */
export async function fanOutEvents(app: App): Promise<number> {
  const workspaces = await app.db.selectFrom("webhookFollower").select("workspaceId").distinct().execute();
  let queued = 0;
  async function runWorker(): Promise<void> {
    for (let next = workspaces.pop(); next; next = workspaces.pop())
      queued += await fanOutWorkspace(app, next.workspaceId);
  }
  await Promise.all(Array.from({ length: concurrency }, runWorker));
  return queued;
}

async function fanOutWorkspace(app: App, workspaceId: string): Promise<number> {
  let queued = 0;
  for (const id of await findBehind(app, workspaceId)) {
    for (;;) {
      const { read, matched } = await fanOutBatch(app, workspaceId, id);
      queued += matched;
      if (read < batchSize) break;
    }
  }
  return queued;
}

/** Finds webhooks with new events, in one query, so that an idle workspace costs no more. */
async function findBehind(app: App, workspaceId: string): Promise<string[]> {
  const found = await inWorkspace(app, workspaceId, (tx) =>
    // Finds the newest event once, by primary key; "exists" would scan all events for each webhook.
    sql<{ id: string }>`
      select id from webhook_endpoint, lateral (
        select epoch, xid, seq from event where workspace_id = ${workspaceId} and ${settled}
        order by epoch desc, xid desc, seq desc limit 1
      ) as newest
      where workspace_id = ${workspaceId} and disabled_at is null
        and (newest.epoch, newest.xid, newest.seq) > (cursor_epoch, cursor_xid, cursor_seq)`.execute(tx),
  );
  return found.rows.map(({ id }) => id);
}

/** Creates the deliveries of the next events of one webhook. Skips the webhook if another worker has locked it. */
async function fanOutBatch(app: App, workspaceId: string, id: string): Promise<{ read: number; matched: number }> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const webhook = await tx
      .selectFrom("webhookEndpoint")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .where("disabledAt", "is", null)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!webhook) return { read: 0, matched: 0 };
    const { cursorEpoch: epoch, cursorXid: xid, cursorSeq: seq } = webhook;
    const events = await readEvents(tx, workspaceId, { after: { epoch, xid, seq }, limit: batchSize });
    const last = events.at(-1);
    if (!last) return { read: 0, matched: 0 };
    const matched = events.filter(({ type }) => subscribesTo(webhook, type));
    await queueDeliveries(app, tx, webhook, matched, { now: false });
    await tx
      .updateTable("webhookEndpoint")
      .set({ cursorEpoch: last.epoch, cursorXid: last.xid, cursorSeq: last.seq })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    return { read: events.length, matched: matched.length };
  });
}
