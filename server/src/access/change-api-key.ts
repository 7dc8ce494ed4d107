import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { differences } from "../platform/differences.ts";
import { AppError } from "../platform/errors.ts";
import { findApiKey } from "./find-api-key.ts";
import { hasEnded, type Key, keyColumns } from "./key-body.ts";
import { lockManagingKeys } from "./lock-managing-keys.ts";

export interface KeyChange {
  readonly name?: string | undefined;
  /** Null: it does not end by itself. */
  readonly expiresAt?: Date | null | undefined;
}

const wireNames: Readonly<Record<string, string>> = { name: "name", expiresAt: "expires_at" };

/** Changes what is given and differs. What a key may do, and where, never changes; what has ended never comes back. */
export async function changeApiKey(app: App, by: Acting, id: string, change: KeyChange): Promise<Key> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const keepManaging = change.expiresAt && actor.type === "key" ? await lockManagingKeys(tx, workspaceId) : undefined;
    const before = await findApiKey(tx, workspaceId, id, { lock: true });
    const values = differences(before, { name: change.name, expiresAt: change.expiresAt });
    const changed = Object.keys(values).map((column) => wireNames[column] ?? column);
    if (changed.length === 0) return before;
    if ("expiresAt" in values) {
      requireLiving(before);
      keepManaging?.(before);
    }
    const key = await tx
      .updateTable("apiKey")
      .set(values)
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returning(keyColumns)
      .executeTakeFirstOrThrow();
    await record(tx, workspaceId, { actor, action: "key.changed", subject: { type: "key", id }, data: { changed } });
    return key;
  });
}

/** Refuses a key that opens nothing any more, or whose end was settled when another took its place. */
export function requireLiving(key: Key): void {
  if (key.replacedBy) {
    const detail = `The key ${key.id} was replaced by ${key.replacedBy}. Use that one: POST /keys/${key.replacedBy}/rotate replaces it again.`;
    throw new AppError("key_ended", detail);
  }
  if (!hasEnded(key)) return;
  const how = key.revokedAt ? "is revoked" : "has expired";
  throw new AppError("key_ended", `The key ${key.id} ${how}. Make a new one with POST /keys.`);
}
