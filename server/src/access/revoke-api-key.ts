import { sql } from "kysely";
import { record } from "../audit/record.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { findApiKey } from "./find-api-key.ts";
import { hasEnded, type Key, keyColumns } from "./key-body.ts";

interface Revoking {
  /** Refuses the last key that can manage the workspace, so that nobody locks themselves out. */
  readonly keepLast: boolean;
}

/** Ends a key, on every process within a second. Revoking it again changes nothing. */
export async function revokeApiKey(app: App, by: Acting, id: string, { keepLast }: Revoking): Promise<Key> {
  const { workspaceId, actor } = by;
  return inWorkspace(app, workspaceId, async (tx) => {
    const managing = keepLast ? await lockManagingKeys(tx, workspaceId) : [];
    const before = await findApiKey(tx, workspaceId, id, { lock: true });
    if (before.revokedAt) return before;
    if (managing.includes(id) && managing.length === 1 && !hasEnded(before)) throw lastOne(id);
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

/**
 * The keys that can manage the whole workspace and are to stay, held until the transaction ends: of two who revoke the
 * last two at once, the second finds one. All take them in the same order.
 */
async function lockManagingKeys(tx: Db, workspaceId: string): Promise<string[]> {
  const found = await tx
    .selectFrom("apiKey")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where(sql<boolean>`'manage' = any(scopes)`)
    .where("campaignIds", "is", null)
    .where("replacedBy", "is", null)
    .where("revokedAt", "is", null)
    .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", sql<Date>`now()`)]))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return found.map((key) => key.id);
}

const lastOne = (id: string) =>
  new AppError(
    "last_manage_key",
    `The key ${id} is the last one that can manage this workspace. Make another first (POST /keys with the scope manage), or replace it: POST /keys/${id}/rotate.`,
  );
