import type { EventData, EventType } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import type { Position } from "./event-id.ts";

export interface NewEvent<Type extends EventType = EventType> {
  readonly workspaceId: string;
  readonly type: Type;
  readonly data: EventData<Type>;
}

/** Inserts an event in the same transaction as the change it describes (transactional outbox). */
export async function emitEvent<Type extends EventType>(
  tx: Db,
  { workspaceId, type, data }: NewEvent<Type>,
): Promise<Position> {
  return tx
    .insertInto("event")
    .values({ workspaceId, type, data: JSON.stringify(data) })
    .returning(["epoch", "xid", "seq"])
    .executeTakeFirstOrThrow();
}

/** Inserts many events of one type. */
export async function emitEvents<Type extends EventType>(
  tx: Db,
  { workspaceId, type, data }: Omit<NewEvent<Type>, "data"> & { readonly data: readonly EventData<Type>[] },
): Promise<void> {
  if (data.length === 0) return;
  const rows = data.map((item) => ({ workspaceId, type, data: JSON.stringify(item) }));
  await tx.insertInto("event").values(rows).execute();
}
