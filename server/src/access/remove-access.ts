import type { Db } from "../platform/database/database.ts";
import { onHook } from "../platform/hooks.ts";
import { userErased } from "../users/hooks.ts";

/** Deletes all credentials and sessions of a user or, without a user id, of the whole workspace. */
export async function removeAccess(tx: Db, workspaceId: string, userId?: string): Promise<void> {
  const tables = [
    ...(["session", "credential", "providerIdentity"] as const),
    ...(["totpFactor", "passkey", "recoveryCode", "pendingSignIn"] as const),
  ];
  for (const table of tables) {
    await tx
      .deleteFrom(table)
      .where("workspaceId", "=", workspaceId)
      .$if(userId !== undefined, (rows) => rows.where("userId", "=", userId ?? ""))
      .execute();
  }
}

export const removeAccessOfErased = onHook(userErased, (tx, { workspaceId, userId }) =>
  removeAccess(tx, workspaceId, userId),
);
