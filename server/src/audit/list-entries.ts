import type { AuditAction } from "@hearback/contract";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { StoredEntry } from "./audit-text.ts";
import { entryColumns } from "./read-entries.ts";

export interface AuditFilter {
  readonly action?: readonly AuditAction[] | undefined;
  readonly subject?: { readonly type: string; readonly id: string } | undefined;
  readonly actor?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface AuditPlace {
  /** Entries between these numbers, without them. */
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly order: "newest" | "oldest";
  readonly limit: number;
}

export interface AuditPage {
  readonly entries: readonly StoredEntry[];
  /** The number to go on behind; absent: there is nothing more. */
  readonly next: number | undefined;
}

/** How many entries are looked through for those that the filters choose before an answer is given. */
const window = 2_000;

/**
 * By how much the database's clock may have been set back. The log is in the order of its numbers, and its times follow
 * them but for such a moment: around a time so much more is looked at.
 */
const clockSlack = sql`interval '5 minutes'`;

interface Row extends StoredEntry {
  /** How many entries were looked at, and the last of them. */
  readonly looked: number;
  readonly edge: number | null;
}

/** A page of the log. One filter is answered by an index; further ones by looking through what that one gives. */
export async function listEntries(
  tx: Db,
  workspaceId: string,
  filter: AuditFilter,
  { order, limit, ...between }: AuditPlace,
): Promise<AuditPage> {
  const [direction, last] = order === "newest" ? [sql`desc`, sql`min`] : [sql`asc`, sql`max`];
  const { index, rest } = conditions(filter);
  const size = rest.length > 0 ? window : limit + 1;
  const numbers = sql.join([...(await numbersAround(tx, workspaceId, filter)), ...edges(between)], sql` and `);
  const look = (chosen: RawBuilder<unknown>) => sql`
    select number, ${rest.length > 0 ? sql.join(rest, sql` and `) : sql`true`} as wanted from audit_entry
    where workspace_id = ${workspaceId} and ${chosen} and ${numbers} order by number ${direction} limit ${size}`;
  // Of several actions each is looked for by its own: the index then gives all of them in order.
  const source =
    filter.action && !index
      ? sql`select found.* from unnest(${[...filter.action]}::text[]) as one (action)
          cross join lateral (${look(sql`audit_entry.action = one.action`)}) as found
          order by number ${direction} limit ${size}`
      : look(index ?? sql`true`);
  const { rows } = await sql<Row>`
    with looked as materialized (${source}),
    found as (select number from looked where wanted order by number ${direction} limit ${limit + 1})
    select entry.*, (select count(*) from looked)::int as looked, (select ${last}(number) from looked) as edge
    from (values (1)) as one left join (
      select ${entryColumns} from audit_entry join found using (number) where workspace_id = ${workspaceId}
    ) as entry on true order by entry.number ${direction}`.execute(tx);

  const found = rows.filter((row) => row.number !== null);
  const entries = found.slice(0, limit);
  if (found.length > limit) return { entries, next: entries.at(-1)?.number };
  return { entries, next: rows[0]?.looked === size ? (rows[0].edge ?? undefined) : undefined };
}

/** What the index is asked for, and what remains to be looked at of each entry that it gives. */
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

/** The numbers between which entries of the asked time can be. Asked first: a plan must know how few they are. */
async function numbersAround(tx: Db, workspaceId: string, { from, to }: AuditFilter): Promise<RawBuilder<unknown>[]> {
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

const edges = ({ after, before }: Pick<AuditPlace, "after" | "before">): RawBuilder<unknown>[] => [
  sql`number > ${after ?? 0}`,
  ...(before === undefined ? [] : [sql`number < ${before}`]),
];
