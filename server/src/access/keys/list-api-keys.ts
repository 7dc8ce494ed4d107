import { sql } from "kysely";
import { openListCursor } from "../../events/list-cursor.ts";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import { keyColumns } from "./key-body.ts";

export interface ListApiKeysInput {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists all keys of a workspace, newest first, including inactive ones. */
export async function listApiKeys(tx: Db, workspaceId: string, { cursor, limit }: ListApiKeysInput) {
  const cursors = await openListCursor(tx, workspaceId, "keys");
  const after = cursors.read(cursor);
  const found = await tx
    .selectFrom("apiKey")
    .where("workspaceId", "=", workspaceId)
    .select([...keyColumns, sql<string>`created_at::text`.as("createdAtText")])
    .$if(after !== undefined, (rows) =>
      rows.where(sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows, next } = toPage(found, limit, ({ createdAtText, id }) => [createdAtText, id]);
  return { keys: rows, next: cursors.write(next) };
}
