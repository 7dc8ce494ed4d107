import type { Db } from "../platform/database/database.ts";

export async function listUsers(db: Db, workspaceId: string, limit: number) {
  return db
    .selectFrom("appUser")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("emailKey")
    .limit(limit)
    .execute();
}
