import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { Position } from "./event-id.ts";

export interface StoredEvent extends Position {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly createdAt: Date;
}

/** Where reading stands: what comes later stands behind it, what can be read now before it. */
export async function findHorizon(tx: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select current_event_epoch() as epoch, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid, 0 as seq
  `.execute(tx);
  return rows[0] as Position;
}

/**
 * Of an event: no transaction that still runs can bring one that stands before it. It must be asked in the statement
 * that reads the event, for both to see the same snapshot; the subqueries are read once, not for every row.
 */
export const settled: RawBuilder<boolean> = sql<boolean>`
  (epoch < (select current_event_epoch())
    or xid < (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint))`;

export const behind = ({ epoch, xid, seq }: Position): RawBuilder<boolean> =>
  sql<boolean>`(epoch, xid, seq) > (${epoch}::int, ${xid}::bigint, ${seq}::bigint)`;

export const upTo = ({ epoch, xid, seq }: Position): RawBuilder<boolean> =>
  sql<boolean>`(epoch, xid, seq) <= (${epoch}::int, ${xid}::bigint, ${seq}::bigint)`;

const beginning: Position = { epoch: 0, xid: 0, seq: 0 };

/** The next events behind a position, in order. */
export async function readEvents(
  tx: Db,
  workspaceId: string,
  { after = beginning, limit }: { after?: Position; limit: number },
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select epoch, xid, seq, type, data, created_at from event
    where workspace_id = ${workspaceId} and ${behind(after)} and ${settled}
    order by epoch, xid, seq limit ${limit}`.execute(tx);
  return rows;
}
