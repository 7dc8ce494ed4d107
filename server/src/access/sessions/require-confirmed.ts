import type { ConfirmationMethod } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { notSignedIn } from "../../platform/errors.ts";
import { hasPassword } from "../../users/has-password.ts";
import { isPasswordSignInOn } from "../../users/password-sign-in-setting.ts";
import { confirmationNeeded } from "../errors.ts";

/** How long a confirmation is valid. */
const confirmedForMs = 10 * 60_000;

/** When the confirmation expires; undefined if there is none or it has expired. */
export function confirmedUntil(confirmedAt: Date | null): Date | undefined {
  const until = new Date((confirmedAt?.getTime() ?? 0) + confirmedForMs);
  return until.getTime() > Date.now() ? until : undefined;
}

/** Records that the session's user has just re-authenticated. */
export async function markConfirmed(tx: Db, { workspaceId, sessionId }: SessionCaller): Promise<void> {
  await tx
    .updateTable("session")
    .set({ confirmedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", sessionId)
    .where("endedAt", "is", null)
    .execute();
}

/**
 * Throws unless the user has authenticated recently. An unattended browser or a stolen cookie must not be enough to set a
 * password or change second factors. Locks the session row, so that the session cannot end before the transaction does.
 */
export async function requireConfirmed({ config }: Pick<App, "config">, tx: Db, caller: SessionCaller): Promise<void> {
  const { workspaceId, sessionId, userId } = caller;
  const session = await tx
    .selectFrom("session")
    .select("confirmedAt")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", sessionId)
    .where("endedAt", "is", null)
    .forShare()
    .executeTakeFirst();
  if (!session) throw notSignedIn();
  if (confirmedUntil(session.confirmedAt)) return;
  const confirmBy: ConfirmationMethod[] = [
    ...((await hasPassword(tx, workspaceId, userId)) && (await isPasswordSignInOn(tx, workspaceId))
      ? (["password"] as const)
      : []),
    ...(config.oidc ? (["oidc"] as const) : []),
  ];
  throw confirmationNeeded(confirmBy);
}
