import type { Db } from "../platform/database/database.ts";

/** Stores how far the ledger of erasures has been replayed. A restored database has an older mark and reads more. */
export async function saveReplayedErasures(tx: Db, workspaceId: string, below: string): Promise<void> {
  await tx
    .updateTable("workspace")
    .set({ erasuresReplayedBelow: below })
    .where("id", "=", workspaceId)
    .where((eb) => eb.or([eb("erasuresReplayedBelow", "is", null), eb("erasuresReplayedBelow", "<", below)]))
    .execute();
}
