import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import { isPasswordSignInOn } from "../../users/password-sign-in-setting.ts";
import { markConfirmed } from "../sessions/require-confirmed.ts";
import { throttleDigest } from "../throttle/sign-in-throttle-rules.ts";
import type { SignInGuard } from "./sign-in.ts";

/** Re-authenticates the signed-in user with their password. */
export async function confirmByPassword(app: App, guard: SignInGuard, caller: SessionCaller, password: string) {
  const stored = await findPasswordHash(app, caller);
  if (stored === null) throw noPassword();
  if (!(await verifyPassword(guard, caller, { stored, password }))) {
    throw fieldInvalid("password", "wrong", "This is not your password.");
  }
  await inWorkspace(app, caller.workspaceId, (tx) => markConfirmed(tx, caller));
}

/** The password hash of the signed-in user; null if they have none or password sign-in is off. */
export async function findPasswordHash(app: App, { workspaceId, userId }: SessionCaller): Promise<string | null> {
  return inWorkspace(app, workspaceId, async (tx) => {
    if (!(await isPasswordSignInOn(tx, workspaceId))) return null;
    const credentials = tx.selectFrom("credential").select("passwordHash").where("workspaceId", "=", workspaceId);
    const stored = await credentials.where("userId", "=", userId).executeTakeFirst();
    return stored?.passwordHash ?? null;
  });
}

interface Attempt {
  readonly stored: string;
  readonly password: string;
}

/** Checks the password. Failed attempts count in the user's sign-in throttle. */
export async function verifyPassword(
  { hasher, throttle }: SignInGuard,
  { userId }: SessionCaller,
  { stored, password }: Attempt,
) {
  const taken = await throttle.require({ person: throttleDigest("person", userId) });
  const matches = await hasher.verify(password, stored).catch(async (error: unknown) => {
    await throttle.refund(taken);
    throw error;
  });
  if (matches) await throttle.reset(taken);
  return matches;
}

const noPassword = () =>
  fieldInvalid(
    "password",
    "no_password",
    "You have no password. Sign in again with your provider instead: GET /session/oidc?confirm=true.",
  );
