import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { largestXid, type Position } from "./event-id.ts";

export interface StoredEvent extends Position {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly createdAt: Date;
}

/** The current end of the readable events. Later events sort after it. */
export async function findHorizon(tx: Db): Promise<Position> {
  // If the running server has no epoch yet, all readable events belong to earlier epochs.
  const { rows } = await sql<Position>`
    select coalesce(here, (select max(epoch) from event_epoch)) as epoch, 0 as seq,
      case when here is null then ${largestXid}::bigint else pg_snapshot_xmin(pg_current_snapshot())::text::bigint end as xid
    from event_epoch_here() as here`.execute(tx);
  return rows[0] as Position;
}

/**
 * Condition on `event`: no running transaction can still insert an event before this one. Use it in the statement that reads
 * the events, so that both see the same snapshot. The subqueries run once per statement.
 */
export const settled: RawBuilder<boolean> = sql<boolean>`
  (epoch < (select current_event_epoch())
    or xid < (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint))`;

export const afterPosition = ({ epoch, xid, seq }: Position): RawBuilder<boolean> =>
  sql<boolean>`(epoch, xid, seq) > (${epoch}::int, ${xid}::bigint, ${seq}::bigint)`;

export const upToPosition = ({ epoch, xid, seq }: Position): RawBuilder<boolean> =>
  sql<boolean>`(epoch, xid, seq) <= (${epoch}::int, ${xid}::bigint, ${seq}::bigint)`;

const start: Position = { epoch: 0, xid: 0, seq: 0 };

/** Returns the next events after a position, in order. */
export async function readEvents(
  tx: Db,
  workspaceId: string,
  { after = start, limit }: { after?: Position; limit: number },
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select epoch, xid, seq, type, data, created_at from event
    where workspace_id = ${workspaceId} and ${afterPosition(after)} and ${settled}
    order by epoch, xid, seq limit ${limit}`.execute(tx);
  return rows;
}
