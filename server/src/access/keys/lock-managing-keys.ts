import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { lastManageKey } from "../errors.ts";
import type { Key } from "./key-body.ts";

/**
 * Locks the keys that can manage the whole workspace for at least another day, in id order to avoid deadlocks. Without
 * the lock, two concurrent requests could revoke the last two. Returns a function that throws if the given key is the last.
 */
export async function lockManagingKeys(tx: Db, workspaceId: string): Promise<(key: Key) => void> {
  const found = await tx
    .selectFrom("apiKey")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where(sql<boolean>`'manage' = any(scopes)`)
    .where("campaignIds", "is", null)
    .where("replacedBy", "is", null)
    .where("revokedAt", "is", null)
    .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", sql<Date>`now() + interval '1 day'`)]))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return ({ id, scopes, campaignIds, replacedBy }) => {
    const manages = scopes.includes("manage") && campaignIds === null && replacedBy === null;
    if (manages && !found.some((other) => other.id !== id)) throw lastManageKey(id);
  };
}
