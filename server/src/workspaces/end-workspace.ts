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
