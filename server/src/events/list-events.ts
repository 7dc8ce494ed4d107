import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import { comparePositions, type Position, toEventId } from "./event-id.ts";
import { behind, findHorizon, type StoredEvent, settled } from "./read-events.ts";

export interface ListEventsInput {
  /** Absent: from the oldest event that is kept. */
  readonly after: Position | "latest" | undefined;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly next: Position | undefined;
  readonly more: boolean;
}

/** How many events are looked through for those of the asked types before an answer is given. */
const window = 5_000;

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

/** What happened after an event, oldest first. Nothing that comes to be seen later can stand before what it gives. */
export async function listEvents(tx: Db, workspaceId: string, input: ListEventsInput): Promise<EventPage> {
  const { after, limit, types } = input;
  if (after === "latest") return { events: [], next: await findHorizon(tx), more: false };
  const from = after ?? { epoch: 0, xid: 0, seq: 0 };
  const size = types ? window : limit + 1;
  const found = await look(tx, workspaceId, from, size, types);
  if (after) checkCursor(after, found);

  const wanted = found.events.filter((row) => row.wanted);
  const events = wanted.slice(0, limit) as unknown as StoredEvent[];
  if (wanted.length > limit) return { events, next: events.at(-1), more: true };
  return { events, next: found.events.at(-1) ?? after, more: found.events.length === size };
}

/** One statement, so that what was removed and what is there belong together. */
async function look(tx: Db, workspaceId: string, from: Position, size: number, types: readonly string[] | undefined) {
  const wanted = types ? sql`type = any(${[...types]}::text[])` : sql`true`;
  const { rows } = await sql<Row & { removed: Position | null; newestXid: number; current: number }>`
    with page as materialized (
      select epoch, xid, seq, type, data, created_at, ${wanted} as wanted from event
      where workspace_id = ${workspaceId} and ${behind(from)} and ${settled}
      order by epoch, xid, seq limit ${size}
    )
    select page.epoch, page.xid, page.seq, type, case when wanted then data end as data, created_at, wanted,
      case when removal.epoch is not null
        then jsonb_build_object('epoch', removal.epoch, 'xid', removal.xid, 'seq', removal.seq) end as removed,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as newest_xid, (select current_event_epoch()) as current
    from (values (1)) as one
    left join event_removal as removal on removal.workspace_id = ${workspaceId}
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
    throw new AppError(
      "cursor_expired",
      `Events after ${toEventId(after)} were removed for their age: following from here would miss them. Read again without \`after\`, from the oldest event that is kept, and compare with what you have.`,
    );
  }
  if (comparePositions(after, { epoch, xid: newestXid, seq: Number.MAX_SAFE_INTEGER }) > 0) throw wrongCursor("after");
}

/** The refusal of a cursor that cannot be one, with what to send instead. */
export function wrongCursor(part: string): AppError {
  const detail = `${part} must be the id of an event of this installation, such as evt_1-104729-57${part === "after" ? ": the `next` of the answer before" : ""}.`;
  return new AppError("fields_invalid", detail, { issues: [{ part, code: "not_an_event_id", detail }] });
}
