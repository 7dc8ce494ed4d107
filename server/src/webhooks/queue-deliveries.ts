import type { Position } from "../events/event-id.ts";
import type { Db } from "../platform/database/database.ts";
import { newIdsByTime } from "../platform/ids-by-time.ts";
import { outgoingJob } from "../platform/queue.ts";
import { deliverEvent } from "./deliver-event.ts";

/** Rows of one statement: PostgreSQL takes at most 65,535 values. */
const chunk = 2_000;

type Told = Position & { readonly type: string };

/** Writes a delivery of each event to an endpoint, with its job. Gives their ids. */
export async function queueDeliveries(
  tx: Db,
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  events: readonly Told[],
): Promise<string[]> {
  const ids = newIdsByTime(events.length);
  const rows = events.map(({ epoch, xid, seq, type }, index) => ({
    workspaceId,
    id: ids[index] ?? "",
    endpointId,
    eventEpoch: epoch,
    eventXid: xid,
    eventSeq: seq,
    eventType: type,
    dueAt: new Date(),
    log: "[]",
  }));
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.slice(from, from + chunk);
    await tx.insertInto("webhookDelivery").values(some).execute();
    const jobs = some.map(({ id }) => outgoingJob(deliverEvent, { workspaceId, deliveryId: id, attempt: 0 }));
    await tx.insertInto("outgoingJob").values(jobs).execute();
  }
  return ids;
}
