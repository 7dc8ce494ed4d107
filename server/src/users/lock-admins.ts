import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { lastAdmin } from "./errors.ts";
import { isPasswordSignInOn } from "./password-sign-in-setting.ts";

/**
 * Locks all administrators, in id order to avoid deadlocks, so that concurrent requests cannot remove the last two. Call
 * first in a transaction. Returns a function that throws if the given user is the last administrator who can sign in: with
 * a password or through a configured provider, and not being erased.
 */
export async function lockAdmins({ config }: Pick<App, "config">, tx: Db, workspaceId: string) {
  const admins = tx
    .selectFrom("appUser")
    .where("workspaceId", "=", workspaceId)
    .where("role", "=", "admin")
    .where("deactivatedAt", "is", null);
  await admins.select("id").orderBy("id").forNoKeyUpdate().execute();
  // Query again after locking: an erasure may have been requested meanwhile, which does not touch the user's row.
  const remaining = await admins
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
  const byPassword = await isPasswordSignInOn(tx, workspaceId);
  const canSignIn = remaining.filter(({ hasPassword }) => (byPassword && hasPassword) || config.oidc);
  return (id: string): void => {
    if (!remaining.some((admin) => admin.id === id) || canSignIn.some((admin) => admin.id !== id)) return;
    throw lastAdmin();
  };
}
