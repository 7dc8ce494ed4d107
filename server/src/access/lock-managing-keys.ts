import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import type { Key } from "./key-body.ts";

/**
 * Holds the keys that can manage the whole workspace for another day at least, until the transaction ends: of two who
 * end the last two at once, the second finds one. All take them in the same order. Gives what refuses to end the last.
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
    if (manages && !found.some((other) => other.id !== id)) throw lastOne(id);
  };
}

const lastOne = (id: string) =>
  new AppError(
    "last_manage_key",
    `The key ${id} is the last one that can manage this workspace for another day. Make another first (POST /keys with the scope manage), or replace it: POST /keys/${id}/rotate.`,
  );
