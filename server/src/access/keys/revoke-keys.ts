import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Db } from "../../platform/database/database.ts";
import { onHook } from "../../platform/hooks.ts";
import { userDeactivated } from "../../users/hooks.ts";

/** Revokes the API keys that a user created. The user knows their secrets and would otherwise keep access. */
export const revokeKeysOfUser = onHook(userDeactivated, async (tx, { workspaceId, userId, by: { actor } }) => {
  const revoked = await tx
    .updateTable("apiKey")
    .set({ revokedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("createdBy", "=", userId)
    .where("revokedAt", "is", null)
    .returning("id")
    .execute();
  const data = { created_by: userId };
  for (const { id } of revoked) {
    await recordAuditEntry(tx, workspaceId, { actor, action: "key.revoked", subject: { type: "key", id }, data });
  }
});

/** Revokes all API keys of a workspace. */
export async function revokeAllKeys(tx: Db, workspaceId: string): Promise<void> {
  await tx
    .updateTable("apiKey")
    .set({ revokedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("revokedAt", "is", null)
    .execute();
}
