import { lowestUuid } from "../is-uuid.ts";

export interface KeysetOptions<Row> {
  /** Reads the rows after a key, in the order of their keys. */
  read(after: string, limit: number): Promise<Row[]>;
  keyOf(row: Row): string;
  readonly pageSize: number;
  /** Default: before every UUID. */
  readonly after?: string | undefined;
}

/** Reads all rows in pages, in the order of a unique key. Each page starts after the last row of the one before. */
export async function* keysetPages<Row>({
  read,
  keyOf,
  pageSize,
  after = lowestUuid,
}: KeysetOptions<Row>): AsyncGenerator<Row[]> {
  for (let last = after; ; ) {
    const rows = await read(last, pageSize);
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    if (rows.length < pageSize) return;
    last = keyOf(end);
  }
}

/** Cuts `limit` + 1 rows to a page. `next` is the cursor of the next page, or null on the last one. */
export function toPage<Row, Key>(
  found: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): { readonly rows: Row[]; readonly next: Key | null } {
  const rows = found.slice(0, limit);
  const end = rows.at(-1);
  return { rows, next: end !== undefined && found.length > limit ? keyOf(end) : null };
}
