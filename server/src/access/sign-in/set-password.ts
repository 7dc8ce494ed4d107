import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { Db } from "../../platform/database/database.ts";
import { acceptInvitation } from "../../users/accept-invitation.ts";

/** Stores a user's password hash and activates an invited user. Call last in a transaction. */
export async function setPassword(
  tx: Db,
  { workspaceId, actor }: WorkspaceActor,
  userId: string,
  passwordHash: string,
) {
  const changedAt = sql<Date>`now()`;
  await tx
    .insertInto("credential")
    .values({ workspaceId, userId, passwordHash, changedAt })
    .onConflict((conflict) => conflict.columns(["workspaceId", "userId"]).doUpdateSet({ passwordHash, changedAt }))
    .execute();
  await acceptInvitation(tx, workspaceId, userId);
  await recordAuditEntry(tx, workspaceId, { actor, action: "password.changed", subject: { type: "user", id: userId } });
}
