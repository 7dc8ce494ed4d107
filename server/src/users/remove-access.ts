import type { Db } from "../platform/database/database.ts";

/** Removes everything by which a person could come in; without one, everybody of the workspace. */
export async function removeAccess(tx: Db, workspaceId: string, userId?: string): Promise<void> {
  for (const table of ["session", "credential", "accessLink"] as const) {
    await tx
      .deleteFrom(table)
      .where("workspaceId", "=", workspaceId)
      .$if(userId !== undefined, (rows) => rows.where("userId", "=", userId ?? ""))
      .execute();
  }
}
