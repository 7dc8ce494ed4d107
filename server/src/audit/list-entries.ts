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

/** A page of the log. One filter is answered by an index; further ones by looking through what that one gives. */
export async function listEntries(
  tx: Db,
  workspaceId: string,
  filter: AuditFilter,
  { order, limit, ...between }: AuditPlace,
): Promise<AuditPage> {
  const direction = order === "newest" ? sql`desc` : sql`asc`;
  const { index, rest } = conditions(filter);
  const size = rest.length > 0 ? window : limit + 1;
  const numbers = sql.join([...bounds(workspaceId, filter), ...edges(between)], sql` and `);
  const look = (chosen: RawBuilder<unknown>) => sql`
    select *, ${rest.length > 0 ? sql.join(rest, sql` and `) : sql`true`} as wanted from audit_entry
    where workspace_id = ${workspaceId} and ${chosen} and ${numbers} order by number ${direction} limit ${size}`;
  // Of several actions each is looked for by its own: the index then gives all of them in order.
  const looked = filter.action && index === undefined;
  const source = looked
    ? sql`select found.* from unnest(${[...(filter.action ?? [])]}::text[]) as one (action)
        cross join lateral (${look(sql`audit_entry.action = one.action`)}) as found
        order by number ${direction} limit ${size}`
    : look(index ?? sql`true`);
  const { rows } = await sql<StoredEntry & { wanted: boolean }>`
    select ${entryColumns}, wanted from (${source}) as looked order by number ${direction}`.execute(tx);

  const wanted = rows.filter((row) => row.wanted);
  const entries = wanted.slice(0, limit);
  if (wanted.length > limit) return { entries, next: entries.at(-1)?.number };
  return { entries, next: rows.length === size ? rows.at(-1)?.number : undefined };
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

/** The numbers between which entries of the asked time can be. */
function bounds(workspaceId: string, { from, to }: AuditFilter): RawBuilder<unknown>[] {
  const first = sql`coalesce((select number from audit_entry where workspace_id = ${workspaceId}
    and at >= ${from}::timestamptz - ${clockSlack} order by at, number limit 1), 9223372036854775807)`;
  const last = sql`coalesce((select number from audit_entry where workspace_id = ${workspaceId}
    and at < ${to}::timestamptz + ${clockSlack} order by at desc, number desc limit 1), 0)`;
  return [...(from ? [sql`number >= ${first}`] : []), ...(to ? [sql`number <= ${last}`] : [])];
}

function edges({ after, before }: Pick<AuditPlace, "after" | "before">): RawBuilder<unknown>[] {
  return [sql`number > ${after ?? 0}`, ...(before === undefined ? [] : [sql`number < ${before}`])];
}
