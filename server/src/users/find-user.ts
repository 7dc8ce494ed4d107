import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { isUuid } from "../platform/is-uuid.ts";
import { userNotFound } from "./errors.ts";
import { signInMethods } from "./sign-in-methods.ts";
import type { User } from "./user-body.ts";

export async function findUser(tx: Db, workspaceId: string, id: string, { lock = false } = {}): Promise<User> {
  const found = isUuid(id)
    ? await tx
        .selectFrom("appUser")
        .selectAll()
        .select(signInMethods)
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .$if(lock, (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (found) return found;
  throw userNotFound(id);
}

export async function findUserByEmail(db: Db, workspaceId: string, email: string) {
  return db
    .selectFrom("appUser")
    .selectAll()
    .select(signInMethods)
    .where("workspaceId", "=", workspaceId)
    .where("emailKey", "=", emailKey(email))
    .executeTakeFirstOrThrow();
}
