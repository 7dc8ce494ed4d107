import type { Db } from "../../platform/database/database.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { keyNotFound } from "../errors.ts";
import { type Key, keyColumns } from "./key-body.ts";

export async function findApiKey(tx: Db, workspaceId: string, id: string, { lock = false } = {}): Promise<Key> {
  const found = isUuid(id)
    ? await tx
        .selectFrom("apiKey")
        .select(keyColumns)
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .$if(lock, (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (found) return found;
  throw keyNotFound(id);
}
