import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { type AppError, fieldInvalid } from "../platform/errors.ts";
import { cursorExpired } from "./errors.ts";
import { comparePositions, type Position } from "./event-id.ts";
import { findHorizon, type StoredEvent, settled } from "./read-events.ts";

export interface ListEventsInput {
  /** Default: the oldest event that is kept. */
  readonly after: Position | "latest" | undefined;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly next: Position | undefined;
  readonly more: boolean;
}

/** Events scanned per request when filtering by type. */
const scanLimit = 5_000;

interface Row extends Position {
  readonly type: string;
  readonly data: Record<string, unknown> | null;
  readonly createdAt: Date | null;
  readonly wanted: boolean;
}

interface Bounds {
  readonly removed: Position | null;
  readonly events: readonly Row[];
  readonly newestXid: number;
  readonly epoch: number;
}

/** Returns the events after a cursor, oldest first. Events that become visible later always sort after those returned. */
export async function listEvents(tx: Db, workspaceId: string, input: ListEventsInput): Promise<EventPage> {
  const { after, limit, types } = input;
  if (after === "latest") return { events: [], next: await findHorizon(tx), more: false };
  const from = after ?? { epoch: 0, xid: 0, seq: 0 };
  const size = types ? scanLimit : limit + 1;
  const found = await queryEvents(tx, workspaceId, from, size, types);
  if (after) checkCursor(after, found);

  const wanted = found.events.filter((row) => row.wanted);
  const events = wanted.slice(0, limit) as unknown as StoredEvent[];
  if (wanted.length > limit) return { events, next: events.at(-1), more: true };
  return { events, next: found.events.at(-1) ?? after, more: found.events.length === size };
}

/**
 * Reads the removal position and the events in one statement, for a consistent snapshot. Skips removed events, whose rows
 * remain until their partition is dropped.
 */
async function queryEvents(
  tx: Db,
  workspaceId: string,
  from: Position,
  size: number,
  types: readonly string[] | undefined,
) {
  const wanted = types ? sql`type = any(${[...types]}::text[])` : sql`true`;
  const { rows } = await sql<Row & { removed: Position | null; newestXid: number; current: number }>`
    with removal as materialized (
      select epoch, xid, seq from event_removal where workspace_id = ${workspaceId}
    ), start as materialized (
      select * from (select * from removal union all select ${from.epoch}::int, ${from.xid}::bigint, ${from.seq}::bigint) as one
      order by epoch desc, xid desc, seq desc limit 1
    ), page as materialized (
      select epoch, xid, seq, type, data, created_at, ${wanted} as wanted from event
      where workspace_id = ${workspaceId} and ${settled}
        and (epoch, xid, seq) > ((select epoch from start), (select xid from start), (select seq from start))
      order by epoch, xid, seq limit ${size}
    )
    select page.epoch, page.xid, page.seq, type, case when wanted then data end as data, created_at, wanted,
      case when removal.epoch is not null
        then jsonb_build_object('epoch', removal.epoch, 'xid', removal.xid, 'seq', removal.seq) end as removed,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as newest_xid, (select current_event_epoch()) as current
    from (values (1)) as one
    left join removal on true
    left join page on true
    order by page.epoch, page.xid, page.seq`.execute(tx);
  const [first] = rows;
  return {
    events: rows.filter((row) => row.epoch !== null),
    removed: first?.removed ?? null,
    newestXid: first?.newestXid ?? 0,
    epoch: first?.current ?? 0,
  };
}

function checkCursor(after: Position, { removed, epoch, newestXid }: Bounds): void {
  if (removed && comparePositions(after, removed) < 0) {
    throw cursorExpired();
  }
  if (comparePositions(after, { epoch, xid: newestXid, seq: Number.MAX_SAFE_INTEGER }) > 0)
    throw invalidEventId("cursor");
}

/** Error for an invalid cursor. */
export function invalidEventId(part: string): AppError {
  const detail = `${part} must be the id of an event of this workspace, such as evt_9c1f27d05be84a6b93e0d7a25c46f81e${part === "cursor" || part === "after" ? ". Use `next` from the previous response" : ""}.`;
  return fieldInvalid(part, "not_an_event_id", detail);
}
