import type { Scope } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { copyKeyLimits } from "../../limits/copy-key-limits.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { newApiKey } from "./api-key.ts";
import { requireActiveKey } from "./change-api-key.ts";
import { type CreatedKey, insertKey } from "./create-api-key.ts";
import { findApiKey } from "./find-api-key.ts";
import type { Key } from "./key-body.ts";
import { lockManagingKeys } from "./lock-managing-keys.ts";
import { type FromRequest, requireKeyWithinCaller } from "./require-key-within-caller.ts";

interface Rotation {
  /** How long the old key keeps working. */
  readonly overlapHours: number;
  /** Expiry of the new key; null: never; undefined: same lifetime as the old key. */
  readonly expiresAt?: Date | null | undefined;
}

/** Replaces a key with a new one with the same name, scopes, campaigns and limits. The secret is returned only here. */
export async function rotateApiKey(
  app: App,
  by: WorkspaceActor,
  id: string,
  rotation: Rotation & FromRequest,
): Promise<CreatedKey> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const keepManaging =
      rotation.expiresAt && actor.type === "key" ? await lockManagingKeys(tx, workspaceId) : undefined;
    const old = await findApiKey(tx, workspaceId, id, { lock: true });
    requireActiveKey(old);
    // The caller receives the new key, so it must not exceed the caller's own permissions.
    await requireKeyWithinCaller(app, tx, rotation.caller, old);
    if (rotation.expiresAt && rotation.expiresAt.getTime() < Date.now() + dayMs) keepManaging?.(old);
    const { name, campaignIds } = old;
    const { expiresAt = sameLifetime(old) } = rotation;
    const scopes = old.scopes as Scope[];
    const created = await insertKey(tx, workspaceId, {
      name,
      scopes,
      campaignIds,
      expiresAt,
      actor,
      key: newApiKey(app.config.cell),
    });
    await copyKeyLimits(tx, workspaceId, id, created.id);
    const overlapEnd = Date.now() + rotation.overlapHours * 3_600_000;
    const end = new Date(Math.min(overlapEnd, old.expiresAt?.getTime() ?? overlapEnd));
    await tx
      .updateTable("apiKey")
      .set({ expiresAt: end, replacedBy: created.id })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const data = { replaced_by: created.id };
    await recordAuditEntry(tx, workspaceId, { actor, action: "key.rotated", subject: { type: "key", id }, data });
    return created;
  });
}

const dayMs = 24 * 3_600_000;

const sameLifetime = ({ createdAt, expiresAt }: Key) =>
  expiresAt && new Date(Date.now() + expiresAt.getTime() - createdAt.getTime());
