import { sql } from "kysely";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { findApiKey } from "./find-api-key.ts";
import { hasEnded, type Key, keyColumns } from "./key-body.ts";
import { lockManagingKeys } from "./lock-managing-keys.ts";

interface Revoking {
  /** Refuses the last key that can manage the workspace, so that nobody locks themselves out. */
  readonly keepLast: boolean;
}

/** Ends a key, on every process within a second. Revoking it again changes nothing. */
export async function revokeApiKey(app: App, by: Acting, id: string, { keepLast }: Revoking): Promise<Key> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const keepManaging = keepLast ? await lockManagingKeys(tx, workspaceId) : undefined;
    const before = await findApiKey(tx, workspaceId, id, { lock: true });
    if (before.revokedAt) return before;
    if (!hasEnded(before)) keepManaging?.(before);
    const key = await tx
      .updateTable("apiKey")
      .set({ revokedAt: sql<Date>`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returning(keyColumns)
      .executeTakeFirstOrThrow();
    await record(tx, workspaceId, { actor, action: "key.revoked", subject: { type: "key", id } });
    return key;
  });
}
