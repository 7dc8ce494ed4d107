import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Marks a workspace as erased. Its row stays: the audit log refers to it. */
export async function endWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await tx
    .updateTable("workspace")
    .set({ name: "Erased", settings: "{}", erasedAt: sql`coalesce(erased_at, now())` })
    .where("id", "=", workspaceId)
    .execute();
}

/** Stores how far the ledger of erasures has been replayed. A restored database has an older mark and reads more. */
export async function saveReplayedErasures(tx: Db, workspaceId: string, below: string): Promise<void> {
  await tx
    .updateTable("workspace")
    .set({ erasuresReplayedBelow: below })
    .where("id", "=", workspaceId)
    .where((eb) => eb.or([eb("erasuresReplayedBelow", "is", null), eb("erasuresReplayedBelow", "<", below)]))
    .execute();
}
