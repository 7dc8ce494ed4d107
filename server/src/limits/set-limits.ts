import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { notFound } from "../platform/errors.ts";
import { type FoundLimits, findLimits } from "./find-limits.ts";

/** 0: unlimited; null: the installation's default; absent: unchanged. */
type Change = number | null | undefined;

export interface WorkspaceLimitChanges {
  readonly requestsPerSecond?: Change;
  readonly importsPerSecond?: Change;
  readonly uploadsAtOnce?: Change;
  readonly callsPerDay?: Change;
  readonly storedBytes?: Change;
  readonly invitationMailsPerDay?: Change;
}

export interface KeyLimitChanges {
  readonly requestsPerSecond?: Change;
  readonly uploadsAtOnce?: Change;
}

const withoutUndefined = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as T;

const changed = (changes: object) => ({ changed: Object.keys(changes).map((name) => snake(name)) });
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Sets limits of a workspace and returns the effective ones. They apply within seconds on every process. */
export async function setWorkspaceLimits(
  app: App,
  actor: Actor,
  workspaceId: string,
  changes: WorkspaceLimitChanges,
): Promise<FoundLimits> {
  const values = withoutUndefined(changes);
  return inWorkspace(app, workspaceId, async (tx) => {
    const existing = await tx.selectFrom("workspace").select("id").where("id", "=", workspaceId).executeTakeFirst();
    if (!existing)
      throw notFound.withDetail(`There is no workspace ${workspaceId}. List workspaces with \`workspace list\`.`);
    const owner = { workspaceId, keyId: null };
    if (Object.keys(values).length === 0) return findLimits(tx, app.config.limits, owner);
    await tx
      .insertInto("workspaceLimit")
      .values({ workspaceId, ...values })
      .onConflict((conflict) => conflict.column("workspaceId").doUpdateSet(values))
      .execute();
    const found = await findLimits(tx, app.config.limits, owner);
    const subject = { type: "workspace", id: workspaceId };
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "workspace.limits_changed",
      subject,
      data: changed(values),
    });
    return found;
  });
}

/** Sets limits of a key and returns the effective ones. */
export async function setKeyLimits(
  app: App,
  actor: Actor,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  changes: KeyLimitChanges,
): Promise<FoundLimits> {
  const values = withoutUndefined(changes);
  return inWorkspace(app, workspaceId, async (tx) => {
    const existing = await tx
      .selectFrom("apiKey")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", keyId)
      .executeTakeFirst();
    if (!existing)
      throw notFound.withDetail(`There is no API key ${keyId} in this workspace. List keys with \`key list\`.`);
    if (Object.keys(values).length > 0) {
      await tx
        .insertInto("apiKeyLimit")
        .values({ workspaceId, keyId, ...values })
        .onConflict((conflict) => conflict.columns(["workspaceId", "keyId"]).doUpdateSet(values))
        .execute();
    }
    const found = await findLimits(tx, app.config.limits, { workspaceId, keyId });
    if (Object.keys(values).length === 0) return found;
    const subject = { type: "key", id: keyId };
    await recordAuditEntry(tx, workspaceId, { actor, action: "key.limits_changed", subject, data: changed(values) });
    return found;
  });
}
