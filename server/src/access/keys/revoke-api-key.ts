import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { findApiKey } from "./find-api-key.ts";
import { isRevokedOrExpired, type Key, keyColumns } from "./key-body.ts";
import { lockManagingKeys } from "./lock-managing-keys.ts";

interface RevokeOptions {
  /** Throws for the last key that can manage the workspace, to prevent a lockout. */
  readonly keepLast: boolean;
}

/** Revokes a key within a second on every process. Idempotent. */
export async function revokeApiKey(
  app: App,
  by: WorkspaceActor,
  id: string,
  { keepLast }: RevokeOptions,
): Promise<Key> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const keepManaging = keepLast ? await lockManagingKeys(tx, workspaceId) : undefined;
    const before = await findApiKey(tx, workspaceId, id, { lock: true });
    if (before.revokedAt) return before;
    if (!isRevokedOrExpired(before)) keepManaging?.(before);
    const key = await tx
      .updateTable("apiKey")
      .set({ revokedAt: sql<Date>`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returning(keyColumns)
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, workspaceId, { actor, action: "key.revoked", subject: { type: "key", id } });
    return key;
  });
}
