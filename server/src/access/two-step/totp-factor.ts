import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { SessionCaller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { fieldInvalid } from "../../platform/errors.ts";
import type { SecretPlace } from "../../platform/secret-box.ts";
import { afterFactorAdded, afterFactorRemoved, lockFactors, requireAnotherFactor } from "./change-factors.ts";
import { findFactors, findMethods, type UserRef } from "./find-factors.ts";
import { matchingStep, newTotpSecret, totpUri } from "./totp.ts";

/** How long a new secret can be confirmed. */
const pendingTtlMs = 60 * 60_000;

export const totpPlace = ({ workspaceId, userId }: UserRef): SecretPlace => ({
  table: "totp_factor",
  workspaceId,
  rowId: userId,
});

const totpFactorOf = (tx: Db, { workspaceId, userId }: UserRef) =>
  tx.selectFrom("totpFactor").selectAll().where("workspaceId", "=", workspaceId).where("userId", "=", userId);

/** Creates a pending secret for an authenticator app. It becomes a factor once a code is confirmed. */
export async function beginTotp(app: App, caller: SessionCaller): Promise<{ secret: string; uri: string }> {
  const { workspaceId, userId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockFactors(app, tx, caller);
    const { email, workspaceName } = await tx
      .selectFrom("appUser")
      .innerJoin("workspace", "workspace.id", "appUser.workspaceId")
      .select(["appUser.email", "workspace.name as workspaceName"])
      .where("appUser.workspaceId", "=", workspaceId)
      .where("appUser.id", "=", userId)
      .executeTakeFirstOrThrow();
    const secret = newTotpSecret();
    const pending = { pendingSecret: app.secretBox.encrypt(secret, totpPlace(caller)), pendingAt: sql<Date>`now()` };
    await tx
      .insertInto("totpFactor")
      .values({ workspaceId, userId, ...pending })
      .onConflict((conflict) => conflict.columns(["workspaceId", "userId"]).doUpdateSet(pending))
      .execute();
    return { secret, uri: totpUri(secret, `${email} (${workspaceName})`) };
  });
}

/** Confirms the pending secret with its first code. It becomes a second factor and replaces the previous secret. */
export async function confirmTotp(app: App, caller: SessionCaller, code: string) {
  const { workspaceId, userId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockFactors(app, tx, caller);
    const row = await totpFactorOf(tx, caller).executeTakeFirst();
    const expired = !row?.pendingAt || row.pendingAt.getTime() < Date.now() - pendingTtlMs;
    if (expired || row.pendingSecret === null) {
      throw wrongCode("expired", "The setup has expired or was not started. Set up the authenticator app again.");
    }
    const secret = app.secretBox.decrypt(row.pendingSecret, totpPlace(caller));
    const step = matchingStep(secret, code, new Date(), null);
    if (step === undefined) throw wrongCode("wrong", "The code is wrong. Enter the code that the app shows now.");
    const first = (await findMethods(tx, caller)).length === 0;
    await tx
      .updateTable("totpFactor")
      .set({
        secret: app.secretBox.encrypt(secret, totpPlace(caller)),
        confirmedAt: sql<Date>`now()`,
        lastStep: step,
        pendingSecret: null,
        pendingAt: null,
      })
      .where("workspaceId", "=", workspaceId)
      .where("userId", "=", userId)
      .execute();
    return afterFactorAdded(app, tx, caller, "totp", { first });
  });
}

const wrongCode = (code: string, detail: string) => fieldInvalid("code", code, detail);

/** Removes the authenticator app. Idempotent. */
export async function removeTotp(app: App, caller: SessionCaller): Promise<void> {
  const { workspaceId, userId } = caller;
  await inWorkspace(app, workspaceId, async (tx) => {
    await lockFactors(app, tx, caller);
    const { totp, passkeys } = await findFactors(tx, caller);
    if (totp) await requireAnotherFactor(tx, caller, passkeys.length);
    await tx.deleteFrom("totpFactor").where("workspaceId", "=", workspaceId).where("userId", "=", userId).execute();
    if (totp) await afterFactorRemoved(app, tx, caller, "totp", passkeys.length);
  });
}

/** Accepts each code once, even under concurrent requests. */
export async function acceptTotp(app: App, tx: Db, user: UserRef, code: string): Promise<boolean> {
  const row = await totpFactorOf(tx, user).executeTakeFirst();
  if (!row?.secret) return false;
  const secret = app.secretBox.decrypt(row.secret, totpPlace(user));
  const step = matchingStep(secret, code, new Date(), row.lastStep);
  if (step === undefined) return false;
  const accepted = await tx
    .updateTable("totpFactor")
    .set({ lastStep: step })
    .where("workspaceId", "=", user.workspaceId)
    .where("userId", "=", user.userId)
    .where("secret", "=", row.secret)
    .where((eb) => eb.or([eb("lastStep", "is", null), eb("lastStep", "<", step)]))
    .returning("userId")
    .executeTakeFirst();
  return accepted !== undefined;
}
