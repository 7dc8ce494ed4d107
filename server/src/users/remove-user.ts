import { sql } from "kysely";
import { emitEvent } from "../events/emit-event.ts";
import { system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { isForeignKeyViolation } from "../platform/database/errors.ts";
import { runHandlers } from "../platform/hooks.ts";
import { removeLead } from "../teams/remove-lead.ts";
import { removeLinks } from "./access-links.ts";
import { emailDigest, erasedEmail } from "./erased-user.ts";
import { reviewerLeft, userDeactivated, userErased } from "./hooks.ts";
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
export async function removeUser(app: App, tx: Db, { workspaceId, id, email }: UserRow): Promise<void> {
  await recordErasedUser(tx, workspaceId, { userId: id, digest: emailDigest(workspaceId, email) });
  const user = { workspaceId, userId: id };
  await removeLinks(tx, workspaceId, id);
  await runHandlers(app, tx, userDeactivated, { ...user, by: { workspaceId, actor: system } });
  await runHandlers(app, tx, reviewerLeft, user);
  await removeLead(tx, workspaceId, id);
  await runHandlers(app, tx, userErased, user);
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
