import { sql } from "kysely";
import { readEvents, settled } from "../events/read-events.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import type { Endpoint } from "./endpoint-body.ts";
import { queueDeliveries } from "./queue-deliveries.ts";

const batch = 500;
const workspacesAtOnce = 4;

/** Whether an endpoint is told of events of this type. */
export const wants = ({ types }: Pick<Endpoint, "types">, type: string) =>
  type !== "webhook.test" && (types.length === 0 || types.includes(type));

/** Turns new events into deliveries, for every endpoint. Gives how many; several workers may do it at once. */
export async function followEvents(app: App): Promise<number> {
  const workspaces = await app.db.selectFrom("webhookFollower").select("workspaceId").distinct().execute();
  let queued = 0;
  async function lane(): Promise<void> {
    for (let next = workspaces.pop(); next; next = workspaces.pop()) queued += await followIn(app, next.workspaceId);
  }
  await Promise.all(Array.from({ length: workspacesAtOnce }, lane));
  return queued;
}

async function followIn(app: App, workspaceId: string): Promise<number> {
  let queued = 0;
  for (const id of await findBehind(app, workspaceId)) {
    for (;;) {
      const { passed, told } = await moveOn(app, workspaceId, id);
      queued += told;
      if (passed < batch) break;
    }
  }
  return queued;
}

/** The endpoints for which there is something new: one question, so that an idle workspace costs no more. */
async function findBehind(app: App, workspaceId: string): Promise<string[]> {
  const found = await inWorkspace(app, workspaceId, (tx) =>
    // The newest event is found once, by the primary key; "exists" would read all events for each endpoint.
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

/** The next events of one endpoint. Who does not get its row leaves it to the one who has it. */
async function moveOn(app: App, workspaceId: string, id: string): Promise<{ passed: number; told: number }> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const endpoint = await tx
      .selectFrom("webhookEndpoint")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .where("disabledAt", "is", null)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!endpoint) return { passed: 0, told: 0 };
    const { cursorEpoch: epoch, cursorXid: xid, cursorSeq: seq } = endpoint;
    const events = await readEvents(tx, workspaceId, { after: { epoch, xid, seq }, limit: batch });
    const last = events.at(-1);
    if (!last) return { passed: 0, told: 0 };
    const told = events.filter(({ type }) => wants(endpoint, type));
    await queueDeliveries(tx, { workspaceId, endpointId: id }, told);
    await tx
      .updateTable("webhookEndpoint")
      .set({ cursorEpoch: last.epoch, cursorXid: last.xid, cursorSeq: last.seq })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    return { passed: events.length, told: told.length };
  });
}
