import type { Db } from "../platform/database/database.ts";
import { wrongCursor } from "../platform/wrong-cursor.ts";
import { keyColumns } from "./key-body.ts";

export interface ListApiKeysInput {
  /** The id of the last key of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The keys of a workspace, newest first, also those that have ended. Their hashes stay where they are. */
export async function listApiKeys(tx: Db, workspaceId: string, { cursor, limit }: ListApiKeysInput) {
  const ofWorkspace = tx.selectFrom("apiKey").where("workspaceId", "=", workspaceId);
  const last = cursor === undefined ? undefined : ofWorkspace.where("id", "=", cursor);
  if (last && !(await last.select("id").executeTakeFirst())) throw wrongCursor();
  const found = await ofWorkspace
    .select(keyColumns)
    .$if(last !== undefined, (rows) =>
      // Compared in the database, whose times are finer than ours.
      rows.where((eb) =>
        eb(eb.refTuple("createdAt", "id"), "<", last?.select(["createdAt", "id"]).$asTuple("createdAt", "id") as never),
      ),
    )
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const keys = found.slice(0, limit);
  return { keys, next: found.length > limit ? (keys.at(-1)?.id ?? null) : null };
}
