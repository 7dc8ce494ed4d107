import type { Db } from "../../platform/database/database.ts";

export const maxWebhooks = 50;

/** Lists the webhooks of a workspace, oldest first. */
export async function listWebhooks(tx: Db, workspaceId: string) {
  return tx
    .selectFrom("webhookEndpoint")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("createdAt")
    .orderBy("id")
    .limit(maxWebhooks)
    .execute();
}
