import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";

/**
 * Holds the administrators until the transaction ends: of two who let the last two go at once, the second finds one. To be
 * called first in a transaction; all take them in the same order. Gives what refuses to let the last one go who could sign
 * in and change it back: who has a password, or anybody where a provider vouches for people, and is not being erased.
 */
export async function lockAdmins({ config }: Pick<App, "config">, tx: Db, workspaceId: string) {
  const admins = tx
    .selectFrom("appUser")
    .where("workspaceId", "=", workspaceId)
    .where("role", "=", "admin")
    .where("deactivatedAt", "is", null);
  await admins.select("id").orderBy("id").forNoKeyUpdate().execute();
  // Asked again: while this waited for them, an erasure may have been requested, which changes none of them yet.
  const found = await admins
    .select("id")
    .select(
      sql<boolean>`exists (
        select from credential where credential.workspace_id = app_user.workspace_id and credential.user_id = app_user.id
      )`.as("hasPassword"),
    )
    .where(
      sql<boolean>`not exists (
        select from erasure where erasure.workspace_id = app_user.workspace_id and state <> 'done' and agent_id = app_user.id
      )`,
    )
    .execute();
  const able = found.filter(({ hasPassword }) => hasPassword || config.oidc);
  return (id: string): void => {
    if (!found.some((one) => one.id === id) || able.some((one) => one.id !== id)) return;
    throw new AppError(
      "last_admin",
      "This is the last administrator of the workspace who can sign in. Make somebody else one first.",
    );
  };
}
