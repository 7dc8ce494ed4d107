import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { actingFor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { enqueue } from "../../platform/queue/queue.ts";
import { sendTwoStepNotice, type TwoStepChange } from "../../users/mail/send-two-step-notice.ts";
import { lastFactor } from "../errors.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { requireConfirmed } from "../sessions/require-confirmed.ts";
import { findFactors, requiresTwoStep, type UserRef } from "./find-factors.ts";
import { createRecoveryCodes } from "./recovery-codes.ts";

type Factor = "totp" | "passkey";

/** Locks the user to serialize factor changes, and requires a recent confirmation. */
export async function lockFactors(app: App, tx: Db, caller: SessionCaller): Promise<void> {
  const users = tx.selectFrom("appUser").select("id").where("workspaceId", "=", caller.workspaceId);
  await users.where("id", "=", caller.userId).forNoKeyUpdate().execute();
  await requireConfirmed(app, tx, caller);
}

/** Completes adding a factor and returns the response body, with recovery codes if the user has none. Call last in a transaction. */
export async function afterFactorAdded(
  app: App,
  tx: Db,
  caller: SessionCaller,
  factor: Factor,
  { first }: { first: boolean },
) {
  const { workspaceId, userId, sessionId, role } = caller;
  // Other sessions started without a second step, so the first factor ends them.
  if (first) await endSessions(tx, workspaceId, userId, { except: sessionId });
  await markSession(tx, caller, factor);
  const { recovery_codes_left } = await findFactors(tx, caller);
  const codes = recovery_codes_left === 0 ? await createRecoveryCodes(tx, caller) : null;
  await recordFactorChange(app, tx, caller, "added", factor);
  const twoStep = { ...(await findFactors(tx, caller)), required: await requiresTwoStep(tx, workspaceId, role) };
  return { two_step: twoStep, recovery_codes: codes };
}

/** Throws when removing the last factor if the workspace requires one. */
export async function requireAnotherFactor(tx: Db, caller: SessionCaller, left: number): Promise<void> {
  if (left > 0 || !(await requiresTwoStep(tx, caller.workspaceId, caller.role))) return;
  throw lastFactor();
}

/** Turns off two-step verification if no factor is left. Call last in a transaction. */
export async function afterFactorRemoved(
  app: App,
  tx: Db,
  caller: SessionCaller,
  factor: Factor,
  left: number,
): Promise<void> {
  if (left === 0) await clearTwoStepState(tx, caller);
  await recordFactorChange(app, tx, caller, "removed", factor);
}

/** Deletes recovery codes and clears the second factor of sessions, once the user has no factor left. */
export async function clearTwoStepState(tx: Db, { workspaceId, userId }: UserRef): Promise<void> {
  const codes = tx.deleteFrom("recoveryCode").where("workspaceId", "=", workspaceId);
  await codes.where("userId", "=", userId).execute();
  const sessions = tx.updateTable("session").set({ secondFactor: null }).where("workspaceId", "=", workspaceId);
  await sessions.where("userId", "=", userId).execute();
}

/** Adds the audit entry and queues the notification email. Call last in a transaction. */
export async function recordFactorChange(
  app: App,
  tx: Db,
  caller: SessionCaller,
  change: Exclude<TwoStepChange, "reset">,
  factor?: Factor,
): Promise<void> {
  const { workspaceId, userId } = caller;
  if (app.mail) await enqueue(tx, sendTwoStepNotice, { workspaceId, userId, change });
  await recordAuditEntry(tx, workspaceId, {
    actor: actingFor(caller).actor,
    action: `two_step.${change}`,
    subject: { type: "user", id: userId },
    ...(factor && { data: { factor } }),
  });
}

async function markSession(tx: Db, { workspaceId, sessionId }: SessionCaller, secondFactor: Factor): Promise<void> {
  await tx
    .updateTable("session")
    .set({ secondFactor: sql<Factor>`coalesce(second_factor, ${secondFactor})` })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", sessionId)
    .execute();
}
