import { sql } from "kysely";
import { emitEvent } from "../events/emit-event.ts";
import { system } from "../platform/actor.ts";
import type { Db } from "../platform/database/database.ts";
import { isForeignKeyViolation } from "../platform/database/errors.ts";
import { emailDigest, erasedEmail } from "./erased-user.ts";
import { removeAccess } from "./remove-access.ts";
import { removeArbiter } from "./remove-arbiter.ts";
import { removeFromCalibrations } from "./remove-from-calibrations.ts";
import { removeAgentFromDraws, removeFromPlans } from "./remove-from-plans.ts";
import { revokeKeysOf } from "./revoke-keys.ts";
import type { UserRow } from "./user-body.ts";

/** Finds and locks a user, so that no new call can reference them until the transaction ends. */
export async function lockUser(tx: Db, workspaceId: string, id: string): Promise<UserRow | undefined> {
  return tx
    .selectFrom("appUser")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("emailKey", "!=", erasedEmail(id))
    .forUpdate()
    .executeTakeFirst();
}

/** Records the erasure, so that a returning user gets the same id. */
export async function recordErasedUser(
  tx: Db,
  workspaceId: string,
  { userId, digest }: { userId: string; digest: Buffer },
): Promise<void> {
  await tx
    .insertInto("erasedAgent")
    .values({ workspaceId, userId, digest })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a user or, if other rows reference them, their personal data. */
export async function removeUser(tx: Db, { workspaceId, id, email }: UserRow): Promise<void> {
  await recordErasedUser(tx, workspaceId, { userId: id, digest: emailDigest(workspaceId, email) });
  await removeAccess(tx, workspaceId, id);
  await revokeKeysOf(tx, { workspaceId, actor: system }, id);
  // In the order of locks.
  await removeFromCalibrations(tx, workspaceId, id);
  await removeArbiter(tx, workspaceId, id);
  await removeFromPlans(tx, workspaceId, id);
  await removeAgentFromDraws(tx, workspaceId, id);
  await sql`savepoint before_removal`.execute(tx);
  try {
    await tx.deleteFrom("appUser").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    await sql`rollback to savepoint before_removal`.execute(tx);
    const deactivated = { role: "agent", deactivatedAt: sql<Date>`coalesce(deactivated_at, now())` };
    const anonymized = {
      email: erasedEmail(id),
      emailKey: erasedEmail(id),
      name: "Erased",
      teamId: null,
      listensToOriginals: false,
      ...deactivated,
    };
    await tx
      .updateTable("appUser")
      .set(anonymized)
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
  }
  await emitEvent(tx, { workspaceId, type: "user.erased", data: { user_id: id } });
}
