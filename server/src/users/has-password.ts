import type { Db } from "../platform/database/database.ts";

export async function hasPassword(tx: Db, workspaceId: string, userId: string): Promise<boolean> {
  const passwords = tx.selectFrom("credential").select("userId").where("workspaceId", "=", workspaceId);
  return (await passwords.where("userId", "=", userId).executeTakeFirst()) !== undefined;
}
