import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import { isUuid } from "../platform/is-uuid.ts";
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
  const detail = `There is no key ${id} in this workspace. GET /keys and \`key list\` show those that are there.`;
  throw new AppError("key_not_found", detail);
}
