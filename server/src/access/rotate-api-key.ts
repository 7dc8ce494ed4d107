import type { Scope } from "@hearback/contract";
import { record } from "../audit/record.ts";
import { copyKeyLimits } from "../limits/copy-key-limits.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { newApiKey } from "./api-key.ts";
import { requireLiving } from "./change-api-key.ts";
import { insertKey, type MadeKey } from "./create-api-key.ts";
import { findApiKey } from "./find-api-key.ts";
import type { Key } from "./key-body.ts";
import { lockManagingKeys } from "./lock-managing-keys.ts";

interface Rotation {
  /** For how long the old key goes on working. */
  readonly overlapHours: number;
  /** When the new key ends; null: never; undefined: after as long a life as the old one was given. */
  readonly expiresAt?: Date | null | undefined;
}

/** Puts a new key with the same name, scopes, restriction and limits in the place of another, and gives it, this once. */
export async function rotateApiKey(app: App, by: Acting, id: string, rotation: Rotation): Promise<MadeKey> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const keepManaging =
      rotation.expiresAt && actor.type === "key" ? await lockManagingKeys(tx, workspaceId) : undefined;
    const old = await findApiKey(tx, workspaceId, id, { lock: true });
    requireLiving(old);
    if (rotation.expiresAt && rotation.expiresAt.getTime() < Date.now() + dayMs) keepManaging?.(old);
    const { name, campaignIds } = old;
    const { expiresAt = sameLife(old) } = rotation;
    const scopes = old.scopes as Scope[];
    const made = await insertKey(tx, workspaceId, {
      ...{ name, scopes, campaignIds, expiresAt },
      key: newApiKey(app.config.cell),
    });
    await copyKeyLimits(tx, workspaceId, id, made.id);
    const overlapEnd = Date.now() + rotation.overlapHours * 3_600_000;
    const end = new Date(Math.min(overlapEnd, old.expiresAt?.getTime() ?? overlapEnd));
    await tx
      .updateTable("apiKey")
      .set({ expiresAt: end, replacedBy: made.id })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .execute();
    const data = { replaced_by: made.id };
    await record(tx, workspaceId, { actor, action: "key.rotated", subject: { type: "key", id }, data });
    return made;
  });
}

const dayMs = 24 * 3_600_000;

const sameLife = ({ createdAt, expiresAt }: Key) =>
  expiresAt && new Date(Date.now() + expiresAt.getTime() - createdAt.getTime());
