import type { WayToSignIn } from "@hearback/contract";
import { record } from "../audit/record.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import { newIdByTime } from "../platform/ids-by-time.ts";
import { hashToken, newToken } from "../platform/token.ts";

interface NewSession {
  readonly workspaceId: string;
  readonly userId: string;
  readonly signedInBy: WayToSignIn;
  /** What the password was found to fit, where there was one. */
  readonly passwordHash?: string | null;
  /** What the browser calls itself. */
  readonly userAgent: string | undefined;
}

/** A session with what the cookie holds: given once, only its hash is kept. */
export interface StartedSession {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export const signInFailed = () => new AppError("sign_in_failed", "The e-mail address or the password is wrong.");

/** Signs a person in: always with a token of its own, whatever the browser brought along. To be called last in a transaction. */
export async function startSession(app: App, tx: Db, input: NewSession): Promise<StartedSession> {
  const { workspaceId, userId, signedInBy, userAgent } = input;
  await requireStanding(tx, input);
  const token = newToken();
  const sessionId = newIdByTime();
  const { idleMs, mostMs } = app.config.sessions;
  const expiresAt = new Date(Date.now() + mostMs);
  await tx
    .insertInto("session")
    .values({
      ...{ workspaceId, id: sessionId, userId, signedInBy, hash: hashToken(token), expiresAt },
      userAgent: userAgent ? (userAgent.slice(0, 300).toWellFormed() ?? null) : null,
      idleUntil: new Date(Date.now() + Math.min(idleMs, mostMs)),
    })
    .execute();
  await record(tx, workspaceId, {
    actor: { type: "user", id: userId },
    action: "session.created",
    subject: { type: "session", id: sessionId },
    data: { signed_in_by: signedInBy },
  });
  return { workspaceId, sessionId, token, expiresAt };
}

/** Refuses whose password or standing changed since it was checked. Whoever ends the person's sessions waits for this one. */
async function requireStanding(tx: Db, { workspaceId, userId, passwordHash }: NewSession): Promise<void> {
  const people = tx.selectFrom("appUser").select("deactivatedAt").where("workspaceId", "=", workspaceId);
  const person = await people.where("id", "=", userId).forShare().executeTakeFirst();
  if (!person || person.deactivatedAt) throw signInFailed();
  if (passwordHash === undefined) return;
  const passwords = tx.selectFrom("credential").select("passwordHash").where("workspaceId", "=", workspaceId);
  const stored = await passwords.where("userId", "=", userId).executeTakeFirst();
  if (stored?.passwordHash !== passwordHash) throw signInFailed();
}
