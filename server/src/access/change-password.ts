import { actingFor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { SessionCaller } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError, notSignedIn } from "../platform/errors.ts";
import { endSessions } from "../users/end-sessions.ts";
import { endLinks } from "../users/make-link.ts";
import { guessDigest } from "./guess.ts";
import { setPassword } from "./set-password.ts";
import type { Guard } from "./sign-in.ts";

export interface PasswordChange {
  /** Needed by who has one: whoever sits down at an open page must not take it over for good. */
  readonly currentPassword: string | undefined;
  readonly newPassword: string;
}

/** Gives whoever is signed in another password, and ends every other session of theirs. */
export async function changePassword(app: App, guard: Guard, caller: SessionCaller, change: PasswordChange) {
  const { workspaceId, userId, sessionId } = caller;
  const stored = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("credential")
      .select("passwordHash")
      .where("workspaceId", "=", workspaceId)
      .where("userId", "=", userId)
      .executeTakeFirst(),
  );
  if (stored) await requireCurrent(guard, caller, { ...stored, tried: change.currentPassword });
  const passwordHash = await guard.passwords.hash(change.newPassword);
  await inWorkspace(app, workspaceId, async (tx) => {
    await endSessions(tx, workspaceId, userId, { except: sessionId });
    await requireOpen(tx, caller);
    await endLinks(tx, workspaceId, userId);
    await setPassword(tx, actingFor(caller), userId, passwordHash);
  });
}

/** Refuses whose session has ended since the request came: hashing takes its time. Whoever ends it now waits for this. */
async function requireOpen(tx: Db, { workspaceId, sessionId }: SessionCaller): Promise<void> {
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

interface Current {
  readonly passwordHash: string;
  readonly tried: string | undefined;
}

async function requireCurrent({ passwords, tries }: Guard, { userId }: SessionCaller, current: Current) {
  const { passwordHash, tried } = current;
  if (tried === undefined) throw wrong("member_missing", "missing", "Say what the password is now: current_password.");
  const taken = await tries.require({ person: guessDigest("person", userId) });
  const fits = await passwords.fits(tried, passwordHash).catch(async (error: unknown) => {
    await tries.takeBack(taken);
    throw error;
  });
  if (!fits) throw wrong("fields_invalid", "wrong", "current_password is not the password that you have now.");
  await tries.forgive(taken);
}

const wrong = (code: "member_missing" | "fields_invalid", issue: string, detail: string) =>
  new AppError(code, detail, { issues: [{ part: "current_password", code: issue, detail }] });
