import type { SecondFactor, SignInMethod } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { hashToken, newToken } from "../../platform/token.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { isPasswordSignInOn } from "../../users/password-sign-in-setting.ts";
import { signInFailed } from "../errors.ts";

export interface NewSession {
  readonly workspaceId: string;
  readonly userId: string;
  readonly signedInBy: SignInMethod;
  /** The hash that the password was verified against; absent: no password was used. */
  readonly passwordHash?: string | null;
  /** The second factor used; absent: none. */
  readonly secondFactor?: SecondFactor;
  readonly userAgent: string | undefined;
  /** Client IP address, with `TRUSTED_PROXIES` applied. */
  readonly address: string;
  /** When the user last authenticated; absent: now; null: not recently. */
  readonly confirmedAt?: Date | null;
}

/** A session with its token for the cookie. Only the token's hash is stored. */
export interface StartedSession {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Starts a session, always with a new token to prevent session fixation. Call last in a transaction. */
export async function startSession(app: App, tx: Db, input: NewSession): Promise<StartedSession> {
  const { workspaceId, userId, signedInBy, userAgent, address, confirmedAt = new Date(), secondFactor } = input;
  await requireStillAllowed(tx, input);
  const token = newToken();
  const sessionId = newUuidV7();
  const { idleMs, mostMs } = app.config.sessions;
  const expiresAt = new Date(Date.now() + mostMs);
  await tx
    .insertInto("session")
    .values({
      workspaceId,
      id: sessionId,
      userId,
      signedInBy,
      hash: hashToken(token),
      expiresAt,
      confirmedAt,
      secondFactor,
      userAgent: userAgent ? (userAgent.slice(0, 300).toWellFormed() ?? null) : null,
      idleUntil: new Date(Date.now() + Math.min(idleMs, mostMs)),
    })
    .execute();
  await recordAuditEntry(tx, workspaceId, {
    actor: { type: "user", id: userId },
    action: "session.created",
    subject: { type: "session", id: sessionId },
    data: { signed_in_by: signedInBy, ...(secondFactor && { second_factor: secondFactor }), address },
  });
  return { workspaceId, sessionId, token, expiresAt };
}

/** Throws if the user was deactivated or the password changed since it was verified. Locks the user, so that concurrent session endings wait. */
export async function requireStillAllowed(tx: Db, input: NewSession): Promise<void> {
  const { workspaceId, userId, signedInBy, passwordHash } = input;
  const users = tx.selectFrom("appUser").select("deactivatedAt").where("workspaceId", "=", workspaceId);
  const user = await users.where("id", "=", userId).forShare().executeTakeFirst();
  if (!user || user.deactivatedAt) throw signInFailed();
  const bypassesProvider = signedInBy === "password" || signedInBy === "passkey";
  if (bypassesProvider && !(await isPasswordSignInOn(tx, workspaceId, { lock: true }))) throw signInFailed();
  if (passwordHash === undefined) return;
  const credentials = tx.selectFrom("credential").select("passwordHash").where("workspaceId", "=", workspaceId);
  const stored = await credentials.where("userId", "=", userId).executeTakeFirst();
  if (stored?.passwordHash !== passwordHash) throw signInFailed();
}
