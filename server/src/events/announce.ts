import type { EventData, EventType } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import type { Position } from "./event-id.ts";

export interface Announcement<Type extends EventType = EventType> {
  readonly workspaceId: string;
  readonly type: Type;
  readonly data: EventData<Type>;
}

/** Writes what happened in the transaction in which it happens: neither is there without the other. */
export async function announce<Type extends EventType>(
  tx: Db,
  { workspaceId, type, data }: Announcement<Type>,
): Promise<Position> {
  return tx
    .insertInto("event")
    .values({ workspaceId, type, data: JSON.stringify(data) })
    .returning(["epoch", "xid", "seq"])
    .executeTakeFirstOrThrow();
}
