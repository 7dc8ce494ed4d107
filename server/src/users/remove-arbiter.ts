import type { Db } from "../platform/database/database.ts";

/** The user no longer decides disputes. If a scorecard has no other arbiter, all supervisors and administrators do. */
export async function removeArbiter(tx: Db, workspaceId: string, userId: string): Promise<void> {
  // Open disputes wait for a supervisor.
  await tx
    .updateTable("dispute")
    .set({ arbiterId: null })
    .where("workspaceId", "=", workspaceId)
    .where("arbiterId", "=", userId)
    .where("state", "=", "open")
    .execute();
  await tx.deleteFrom("scorecardArbiter").where("workspaceId", "=", workspaceId).where("userId", "=", userId).execute();
}
