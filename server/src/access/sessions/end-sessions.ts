import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { onHook } from "../../platform/hooks.ts";
import { userDeactivated } from "../../users/hooks.ts";

/**
 * Ends all sessions of a user within a second on every process, except the given one. Call first in a transaction: locking
 * the user makes concurrent sign-ins wait, and then fail if their credentials are no longer valid.
 */
export async function endSessions(tx: Db, workspaceId: string, userId: string, { except }: { except?: string } = {}) {
  const users = tx.selectFrom("appUser").select("id").where("workspaceId", "=", workspaceId);
  await users.where("id", "=", userId).forNoKeyUpdate().execute();
  await tx
    .updateTable("session")
    .set({ endedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .$if(except !== undefined, (rows) => rows.where("id", "!=", except ?? ""))
    .execute();
  // Pending sign-ins rely on the same credentials.
  const pending = tx.deleteFrom("pendingSignIn").where("workspaceId", "=", workspaceId);
  await pending.where("userId", "=", userId).execute();
}

export const endSessionsOfDeactivated = onHook(userDeactivated, (tx, { workspaceId, userId }) =>
  endSessions(tx, workspaceId, userId),
);
