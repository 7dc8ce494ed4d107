import { type RawBuilder, sql } from "kysely";
import type { Db } from "./database.ts";
import type { DB } from "./tables.ts";

/** Ids from `from` (inclusive) to `to` (exclusive). */
export interface IdRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the id ranges of a table's partitions in order, with `partitions` adjacent ones combined. A query over one
 * range plans and locks only the partitions in that range.
 */
export async function partitionRanges(db: Db, table: keyof DB & string, partitions: number): Promise<IdRange[]> {
  const { rows } = await sql<{ bound: string }>`
    select pg_get_expr(part.relpartbound, part.oid) as bound
    from pg_inherits join pg_class as part on part.oid = inhrelid
    where inhparent = ${table}::regclass`.execute(db);
  const all = rows.flatMap(({ bound }) => rangeOf(bound) ?? []).sort((a, b) => (a.from < b.from ? -1 : 1));
  const starts = all.filter((_, index) => index % partitions === 0);
  return starts.map(({ from }, index) => {
    const last = all[Math.min(all.length, (index + 1) * partitions) - 1];
    return { from, to: last?.to ?? from };
  });
}

/** Parses "FOR VALUES FROM ('…') TO ('…')". */
function rangeOf(bound: string): IdRange | undefined {
  const [, from, to] = /FROM \('([0-9a-f-]{36})'\) TO \('([0-9a-f-]{36})'\)/.exec(bound) ?? [];
  return from && to ? { from, to } : undefined;
}

export interface PagesOf {
  readonly table: "call";
  readonly workspaceId: string;
  /** Filter. Needs an index on workspace_id, the filtered columns and id, in this order. */
  readonly where?: RawBuilder<unknown>;
  /** Rows per page. */
  readonly rows: number;
  /** Partitions per query. */
  readonly partitions: number;
}

/** Splits the rows of a workspace into consecutive id ranges with at most `rows` rows each. */
export async function* idPages(tx: Db, pages: PagesOf): AsyncGenerator<IdRange> {
  for (const range of await partitionRanges(tx, pages.table, pages.partitions)) {
    for (let from: string | undefined = range.from; from !== undefined; ) {
      const next: string | undefined = await startOfNext(tx, pages, { from, to: range.to });
      yield { from, to: next ?? range.to };
      from = next;
    }
  }
}

async function startOfNext(tx: Db, { table, workspaceId, where = sql`true`, rows: count }: PagesOf, range: IdRange) {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where workspace_id = ${workspaceId} and ${where} and ${within(range)}
    order by id offset ${count} limit 1`.execute(tx);
  return rows[0]?.id;
}

export const within = ({ from, to }: IdRange): RawBuilder<boolean> =>
  sql<boolean>`id >= ${from}::uuid and id < ${to}::uuid`;
