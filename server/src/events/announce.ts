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

/** The same for many of one type. */
export async function announceAll<Type extends EventType>(
  tx: Db,
  { workspaceId, type, data }: Omit<Announcement<Type>, "data"> & { readonly data: readonly EventData<Type>[] },
): Promise<void> {
  if (data.length === 0) return;
  const rows = data.map((one) => ({ workspaceId, type, data: JSON.stringify(one) }));
  await tx.insertInto("event").values(rows).execute();
}
