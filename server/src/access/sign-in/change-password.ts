import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid, memberMissing, notSignedIn } from "../../platform/errors.ts";
import { endLinks } from "../../users/access-links.ts";
import { hasPassword } from "../../users/has-password.ts";
import { findMailRecipient } from "../../users/mail/find-mail-recipient.ts";
import { requirePasswordSignIn } from "../../users/password-sign-in-setting.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { requireConfirmed } from "../sessions/require-confirmed.ts";
import { findPasswordHash, verifyPassword } from "./confirm-password.ts";
import { requireStrongPassword } from "./require-strong-password.ts";
import { setPassword } from "./set-password.ts";
import type { SignInGuard } from "./sign-in.ts";

export interface PasswordChange {
  /** Required if the user has a password: an unattended browser must not be enough to take over the account. */
  readonly currentPassword: string | undefined;
  readonly newPassword: string;
}

/**
 * Changes the signed-in user's password and ends their other sessions. A first password requires a recent confirmation:
 * otherwise an unattended browser would be enough to bypass the provider from then on.
 */
export async function changePassword(app: App, guard: SignInGuard, caller: SessionCaller, change: PasswordChange) {
  const { workspaceId, userId, sessionId } = caller;
  await inWorkspace(app, workspaceId, (tx) => requirePasswordSignIn(tx, workspaceId));
  const stored = await findPasswordHash(app, caller);
  if (stored === null) await inWorkspace(app, workspaceId, (tx) => requireConfirmed(app, tx, caller));
  else await requireCurrent(guard, caller, stored, change.currentPassword);
  if (change.newPassword === change.currentPassword)
    throw fieldInvalid("new_password", "unchanged", "This is your current password. Choose another one.");
  const { user, workspace } = await inWorkspace(app, workspaceId, (tx) => findMailRecipient(tx, workspaceId, userId));
  if (!user) throw notSignedIn();
  const about = [user.name, user.email, workspace.name];
  requireStrongPassword({ password: change.newPassword, part: "new_password", about });
  const passwordHash = await guard.hasher.hash(change.newPassword);
  await inWorkspace(app, workspaceId, async (tx) => {
    await endSessions(tx, workspaceId, userId, { except: sessionId });
    await requireActiveSession(tx, caller);
    await requirePasswordSignIn(tx, workspaceId);
    // Another request may have set a password while this one was hashing.
    if (stored === null && (await hasPassword(tx, workspaceId, userId))) throw missing();
    await endLinks(tx, workspaceId, userId);
    await setPassword(tx, actingFor(caller), userId, passwordHash);
  });
}

/** Throws if the session ended during hashing. The row lock makes concurrent sign-outs wait for this transaction. */
async function requireActiveSession(tx: Db, { workspaceId, sessionId }: SessionCaller): Promise<void> {
  const open = await tx
    .selectFrom("session")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", sessionId)
    .where("endedAt", "is", null)
    .forShare()
    .executeTakeFirst();
  if (!open) throw notSignedIn();
}

async function requireCurrent(guard: SignInGuard, caller: SessionCaller, stored: string, password: string | undefined) {
  if (password === undefined) throw missing();
  if (await verifyPassword(guard, caller, { stored, password })) return;
  throw fieldInvalid("current_password", "wrong", "current_password is not your current password.");
}

const missing = () => {
  const detail = "Send your current password in current_password.";
  return memberMissing.withDetail(detail, { issues: [{ part: "current_password", code: "missing", detail }] });
};
