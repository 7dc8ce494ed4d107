import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import { changedFields } from "../../platform/changed-fields.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keyEnded } from "../errors.ts";
import { findApiKey } from "./find-api-key.ts";
import { isRevokedOrExpired, type Key, keyColumns } from "./key-body.ts";
import { lockManagingKeys } from "./lock-managing-keys.ts";
import { requireKeyWithinCaller } from "./require-key-within-caller.ts";

export interface KeyChange {
  readonly name?: string | undefined;
  /** Null: never expires. */
  readonly expiresAt?: Date | null | undefined;
  /** Absent when an operator runs the command. */
  readonly caller?: Caller | undefined;
}

const wireNames: Readonly<Record<string, string>> = { name: "name", expiresAt: "expires_at" };

/** Updates the given fields that differ. Scopes and campaigns are immutable; an inactive key cannot be reactivated. */
export async function changeApiKey(app: App, by: WorkspaceActor, id: string, change: KeyChange): Promise<Key> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const keepManaging = change.expiresAt && actor.type === "key" ? await lockManagingKeys(tx, workspaceId) : undefined;
    const before = await findApiKey(tx, workspaceId, id, { lock: true });
    const values = changedFields(before, { name: change.name, expiresAt: change.expiresAt });
    const changed = Object.keys(values).map((column) => wireNames[column] ?? column);
    if (changed.length === 0) return before;
    if ("expiresAt" in values) {
      requireActiveKey(before);
      if (isLater(change.expiresAt, before.expiresAt)) await requireKeyWithinCaller(app, tx, change.caller, before);
      keepManaging?.(before);
    }
    const key = await tx
      .updateTable("apiKey")
      .set(values)
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returning(keyColumns)
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, workspaceId, {
      actor,
      action: "key.changed",
      subject: { type: "key", id },
      data: { changed },
    });
    return key;
  });
}

const isLater = (after: Date | null | undefined, before: Date | null) =>
  (after?.getTime() ?? Number.POSITIVE_INFINITY) > (before?.getTime() ?? Number.POSITIVE_INFINITY);

/** Throws if the key is revoked, expired or replaced. */
export function requireActiveKey(key: Key): void {
  if (key.replacedBy) throw keyEnded(key.id, { replacedBy: key.replacedBy });
  if (isRevokedOrExpired(key)) throw keyEnded(key.id, key.revokedAt ? "is revoked" : "has expired");
}
