import type { Db } from "../platform/database/database.ts";

export async function listCampaigns(db: Db, workspaceId: string) {
  return db
    .selectFrom("campaign")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("id")
    .limit(10_000)
    .execute();
}
