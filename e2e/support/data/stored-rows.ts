import type { Stack } from "../stack/stack.ts";
import { openStore, type Store } from "../stack/store.ts";

const stores = new WeakMap<Stack, Store>();

/** The installation's store, opened once. Never closed: that would delete its contents. */
function storeOf(stack: Stack): Store {
  const store = stores.get(stack) ?? openStore(stack);
  stores.set(stack, store);
  return store;
}

/** Keys of all objects in the store, including incomplete ones. */
export const storedObjects = async (stack: Stack) => (await storeOf(stack).keys()).sort();

/** SHA-256 of a stored object. */
export const storedSha256 = (stack: Stack, key: string) => storeOf(stack).sha256(key);

/** The stored objects and the number of calls. */
export async function storedRows(stack: Stack): Promise<{ objects: string[]; calls: number }> {
  const { rows } = await stack.adminDb.query<{ calls: number }>("select count(*)::int as calls from call");
  return { objects: await storedObjects(stack), calls: rows[0]?.calls ?? -1 };
}

/** Tables (`schema.table`) with a row that contains this text. */
export async function tablesHolding(stack: Stack, text: string): Promise<string[]> {
  const { rows } = await stack.adminDb.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const holding: string[] = [];
  for (const { name } of rows) {
    const found = await stack.adminDb.query(`select 1 from ${name} as r where strpos(r::text, $1) > 0 limit 1`, [text]);
    if (found.rowCount) holding.push(name);
  }
  return holding;
}
