import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";

export async function findUserByEmail(db: Db, workspaceId: string, email: string) {
  return db
    .selectFrom("appUser")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("emailKey", "=", emailKey(email))
    .executeTakeFirstOrThrow();
}
