import type { Db } from "../../platform/database/database.ts";

/** The agent gets no email about reviews any longer. */
export async function removeEmailCounts(tx: Db, workspaceId: string, agentId: string): Promise<void> {
  await tx.deleteFrom("reviewEmail").where("workspaceId", "=", workspaceId).where("agentId", "=", agentId).execute();
}
