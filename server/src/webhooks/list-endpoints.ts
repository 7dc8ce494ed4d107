import type { Db } from "../platform/database/database.ts";

export const mostEndpoints = 50;

/** The endpoints of a workspace, oldest first: never more than it may have. */
export async function listEndpoints(tx: Db, workspaceId: string) {
  return tx
    .selectFrom("webhookEndpoint")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(mostEndpoints)
    .execute();
}
