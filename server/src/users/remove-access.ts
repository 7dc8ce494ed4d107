import type { Db } from "../platform/database/database.ts";

/** Deletes all credentials, sessions and links of a user or, without a user id, of the whole workspace. */
export async function removeAccess(tx: Db, workspaceId: string, userId?: string): Promise<void> {
  const tables = [
    ...(["session", "credential", "accessLink", "providerIdentity"] as const),
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
