import type { AuditAction } from "@hearback/contract";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { StoredEntry } from "./entry-hash.ts";
import { entryColumns } from "./read-entries.ts";

export interface AuditFilter {
  readonly action?: readonly AuditAction[] | undefined;
  readonly subject?: { readonly type: string; readonly id: string } | undefined;
  readonly actor?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface AuditRange {
  /** Exclusive bounds. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly order: "newest" | "oldest";
  readonly limit: number;
}

export interface AuditPage {
  readonly entries: readonly StoredEntry[];
  /** Cursor for the next page; undefined: last page. */
  readonly next: number | undefined;
}

/** Maximum entries scanned per page when filters are not fully covered by an index. */
const scanLimit = 2_000;

/**
 * Tolerance for a database clock that was set back. Entries are ordered by number, and their times follow except after such
 * a change, so time filters search this much beyond their bounds.
 */
const clockSlack = sql`interval '5 minutes'`;

interface Row extends StoredEntry {
  /** Number of entries scanned, and the last of them. */
  readonly scanned: number;
  readonly edge: number | null;
}

/** Returns a page of the log. One filter uses an index; the others are applied to the rows of that index scan. */
export async function listEntries(
  tx: Db,
  workspaceId: string,
  filter: AuditFilter,
  { order, limit, ...between }: AuditRange,
): Promise<AuditPage> {
  const [direction, last] = order === "newest" ? [sql`desc`, sql`min`] : [sql`asc`, sql`max`];
  const { index, rest } = conditions(filter);
  const size = rest.length > 0 ? scanLimit : limit + 1;
  const numbers = sql.join(
    [...(await numberBoundsOfTime(tx, workspaceId, filter)), ...numberBounds(between)],
    sql` and `,
  );
  const scan = (chosen: RawBuilder<unknown>) => sql`
    select number, ${rest.length > 0 ? sql.join(rest, sql` and `) : sql`true`} as wanted from audit_entry
    where workspace_id = ${workspaceId} and ${chosen} and ${numbers} order by number ${direction} limit ${size}`;
  // One index scan per action returns each in order; a single scan over several actions would not.
  const source =
    filter.action && !index
      ? sql`select found.* from unnest(${[...filter.action]}::text[]) as one (action)
          cross join lateral (${scan(sql`audit_entry.action = one.action`)}) as found
          order by number ${direction} limit ${size}`
      : scan(index ?? sql`true`);
  const { rows } = await sql<Row>`
    with scanned as materialized (${source}),
    found as (select number from scanned where wanted order by number ${direction} limit ${limit + 1})
    select entry.*, (select count(*) from scanned)::int as scanned, (select ${last}(number) from scanned) as edge
    from (values (1)) as one left join (
      select ${entryColumns} from audit_entry join found using (number) where workspace_id = ${workspaceId}
    ) as entry on true order by entry.number ${direction}`.execute(tx);

  const found = rows.filter((row) => row.number !== null);
  const entries = found.slice(0, limit);
  if (found.length > limit) return { entries, next: entries.at(-1)?.number };
  return { entries, next: rows[0]?.scanned === size ? (rows[0].edge ?? undefined) : undefined };
}

/** Splits the filter into the index condition and the conditions applied to each scanned row. */
function conditions({ subject, actor, action, from, to }: AuditFilter) {
  const ofSubject = subject && sql`subject_type = ${subject.type} and subject_id = ${subject.id}`;
  const ofActor = actor ? sql`actor_id = ${actor}` : undefined;
  const index = ofSubject ?? ofActor;
  const rest = [
    ...(ofSubject && ofActor ? [ofActor] : []),
    ...(index && action ? [sql`action = any(${[...action]}::text[])`] : []),
    ...(from ? [sql`at >= ${from}`] : []),
    ...(to ? [sql`at < ${to}`] : []),
  ];
  return { index, rest };
}

/** Converts a time range to bounds on entry numbers. A separate query, so that the planner knows the size of the range. */
async function numberBoundsOfTime(
  tx: Db,
  workspaceId: string,
  { from, to }: AuditFilter,
): Promise<RawBuilder<unknown>[]> {
  if (!from && !to) return [];
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select number from audit_entry where workspace_id = ${workspaceId}
        and at >= ${from ?? null}::timestamptz - ${clockSlack} order by at, number limit 1) as first,
      (select number from audit_entry where workspace_id = ${workspaceId}
        and at < ${to ?? null}::timestamptz + ${clockSlack} order by at desc, number desc limit 1) as last`.execute(tx);
  const { first = null, last = null } = rows[0] ?? {};
  return [
    ...(from ? [first === null ? sql`false` : sql`number >= ${first}`] : []),
    ...(to ? [sql`number <= ${last ?? 0}`] : []),
  ];
}

const numberBounds = ({ after, before }: Pick<AuditRange, "after" | "before">): RawBuilder<unknown>[] => [
  sql`number > ${after ?? 0}`,
  ...(before === undefined ? [] : [sql`number < ${before}`]),
];
