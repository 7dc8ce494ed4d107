import type { Db } from "../platform/database/database.ts";

/** The keys of a workspace, newest first. Their hashes stay where they are. */
export async function listApiKeys(db: Db, workspaceId: string) {
  return db
    .selectFrom("apiKey")
    .select(["id", "name", "scopes", "createdAt", "expiresAt", "revokedAt"])
    .where("workspaceId", "=", workspaceId)
    .orderBy("createdAt", "desc")
    .limit(10_000)
    .execute();
}
