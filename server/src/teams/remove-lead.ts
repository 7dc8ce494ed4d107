import type { Db } from "../platform/database/database.ts";

/** The user leads no team any longer. */
export async function removeLead(tx: Db, workspaceId: string, userId: string): Promise<void> {
  await tx
    .updateTable("team")
    .set({ leadId: null })
    .where("workspaceId", "=", workspaceId)
    .where("leadId", "=", userId)
    .execute();
}
