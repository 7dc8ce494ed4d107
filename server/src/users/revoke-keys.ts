import { sql } from "kysely";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";

/** Revokes the API keys that a user created. The user knows their secrets and would otherwise keep access. */
export async function revokeKeysOf(tx: Db, { workspaceId, actor }: WorkspaceActor, userId: string): Promise<void> {
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
}
