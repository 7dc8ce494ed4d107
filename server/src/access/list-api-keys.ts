import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { invalidCursor } from "../platform/invalid-cursor.ts";
import { keyColumns } from "./key-body.ts";

export interface ListApiKeysInput {
  /** Id of the last key of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists all keys of a workspace, newest first, including inactive ones. */
export async function listApiKeys(tx: Db, workspaceId: string, { cursor, limit }: ListApiKeysInput) {
  const ofWorkspace = tx.selectFrom("apiKey").where("workspaceId", "=", workspaceId);
  const last = cursor === undefined ? undefined : ofWorkspace.where("id", "=", cursor);
  if (last && !(await last.select("id").executeTakeFirst())) throw invalidCursor();
  const found = await ofWorkspace
    .select(keyColumns)
    .$if(last !== undefined, (rows) =>
      // Compared in SQL: PostgreSQL timestamps have microseconds, JavaScript dates do not.
      rows.where((eb) =>
        eb(eb.refTuple("createdAt", "id"), "<", last?.select(["createdAt", "id"]).$asTuple("createdAt", "id") as never),
      ),
    )
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: keys, next } = toPage(found, limit, ({ id }) => id);
  return { keys, next };
}
