import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { passwordSignInOff } from "./errors.ts";

/** SQL condition on `workspace`: password sign-in is enabled. */
export const passwordSignIn = sql<boolean>`coalesce(workspace.settings ->> 'password_sign_in', 'true') <> 'false'`;

/**
 * Whether the workspace allows password sign-in. Use `lock` when starting a session or setting a password: it prevents
 * changes to the setting until the transaction ends.
 */
export async function isPasswordSignInOn(tx: Db, workspaceId: string, { lock = false } = {}): Promise<boolean> {
  const found = await tx
    .selectFrom("workspace")
    .select(passwordSignIn.as("on"))
    .where("id", "=", workspaceId)
    .$if(lock, (query) => query.forShare())
    .executeTakeFirst();
  return found?.on ?? false;
}

/** Throws if password sign-in is off. Call in the transaction that sets a password. */
export async function requirePasswordSignIn(tx: Db, workspaceId: string): Promise<void> {
  if (await isPasswordSignInOn(tx, workspaceId, { lock: true })) return;
  throw passwordSignInOff();
}
