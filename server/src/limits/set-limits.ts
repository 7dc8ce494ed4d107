import { record } from "../audit/record.ts";
import type { Actor } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { type FoundLimits, findLimits } from "./find-limits.ts";
import { recountUsage } from "./recount-usage.ts";
import { dayOf, isCounted } from "./usage.ts";

/** 0: no limit; null: as the installation's settings say; absent: as it is. */
type Change = number | null | undefined;

export interface WorkspaceLimitChanges {
  readonly requestsPerSecond?: Change;
  readonly importsPerSecond?: Change;
  readonly uploadsAtOnce?: Change;
  readonly callsPerDay?: Change;
  readonly storedBytes?: Change;
}

export interface KeyLimitChanges {
  readonly requestsPerSecond?: Change;
  readonly uploadsAtOnce?: Change;
}

const given = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as T;

const changed = (changes: object) => ({ changed: Object.keys(changes).map((name) => snake(name)) });
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Gives a workspace limits of its own, and tells what holds now. Every process knows of it within seconds. */
export async function setWorkspaceLimits(
  app: App,
  actor: Actor,
  workspaceId: string,
  changes: WorkspaceLimitChanges,
): Promise<FoundLimits> {
  const values = given(changes);
  return inWorkspace(app, workspaceId, async (tx) => {
    const there = await tx.selectFrom("workspace").select("id").where("id", "=", workspaceId).executeTakeFirst();
    if (!there) throw new AppError("not_found", `There is no workspace ${workspaceId}.`);
    const whose = { workspaceId, keyId: null };
    if (Object.keys(values).length === 0) return findLimits(tx, app.config.limits, whose);
    await tx
      .insertInto("workspaceLimit")
      .values({ workspaceId, ...values })
      .onConflict((conflict) => conflict.column("workspaceId").doUpdateSet(values))
      .execute();
    const { limits } = await findLimits(tx, app.config.limits, whose);
    // From now on every process adds to it.
    const usage = isCounted(limits) ? await recountUsage(tx, workspaceId, dayOf(Date.now())) : undefined;
    const subject = { type: "workspace", id: workspaceId };
    await record(tx, workspaceId, { actor, action: "workspace.limits_changed", subject, data: changed(values) });
    return { limits, usage };
  });
}

/** Gives a key limits of its own. */
export async function setKeyLimits(
  app: App,
  actor: Actor,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
  changes: KeyLimitChanges,
): Promise<FoundLimits> {
  const values = given(changes);
  return inWorkspace(app, workspaceId, async (tx) => {
    const there = await tx
      .selectFrom("apiKey")
      .select("id")
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", keyId)
      .executeTakeFirst();
    if (!there) throw new AppError("not_found", `There is no key ${keyId} in this workspace.`);
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
    await record(tx, workspaceId, { actor, action: "key.limits_changed", subject, data: changed(values) });
    return found;
  });
}
