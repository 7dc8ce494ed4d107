import { sql } from "kysely";
import { onHook } from "../../platform/hooks.ts";
import { passwordsTurnedOff } from "../../workspaces/hooks.ts";

/** Sessions ended per statement. */
const batchSize = 5_000;

/**
 * Ends all sessions of a workspace that were not started with the provider, and deletes pending sign-ins. The workspace is
 * locked: concurrent password sign-ins wait for the lock and then fail.
 */
export const endPasswordSessions = onHook(passwordsTurnedOff, async (tx, { workspaceId }) => {
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
});
