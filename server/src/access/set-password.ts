import { sql } from "kysely";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import { acceptInvitation } from "../users/accept-invitation.ts";

/** Gives a person a password, whose hash this is, and makes an invited one active. To be called last in a transaction. */
export async function setPassword(tx: Db, { workspaceId, actor }: Acting, userId: string, passwordHash: string) {
  const changedAt = sql<Date>`now()`;
  await tx
    .insertInto("credential")
    .values({ workspaceId, userId, passwordHash, changedAt })
    .onConflict((conflict) => conflict.columns(["workspaceId", "userId"]).doUpdateSet({ passwordHash, changedAt }))
    .execute();
  await acceptInvitation(tx, workspaceId, userId);
  await record(tx, workspaceId, { actor, action: "password.changed", subject: { type: "user", id: userId } });
}
