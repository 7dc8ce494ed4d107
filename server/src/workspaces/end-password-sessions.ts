import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Sessions ended per statement. */
const batchSize = 5_000;

/**
 * Ends all sessions of a workspace that were not started with the provider, and deletes pending sign-ins. Call while the
 * workspace is locked: concurrent password sign-ins wait for the lock and then fail.
 */
export async function endPasswordSessions(tx: Db, workspaceId: string): Promise<void> {
  await tx.deleteFrom("pendingSignIn").where("workspaceId", "=", workspaceId).execute();
  for (let ended = batchSize; ended === batchSize; ) {
    const open = tx
      .selectFrom("session")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("expiresAt", ">", sql<Date>`now()`)
      .where("endedAt", "is", null)
      .where("signedInBy", "!=", "oidc")
      .limit(batchSize);
    const { numUpdatedRows } = await tx
      .updateTable("session")
      .set({ endedAt: sql<Date>`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("id", "in", open)
      .executeTakeFirstOrThrow();
    ended = Number(numUpdatedRows);
  }
}
