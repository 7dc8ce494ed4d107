import { emailKey } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { AppError } from "../platform/errors.ts";
import { isUuid } from "../platform/is-uuid.ts";
import type { User } from "./user-body.ts";

export async function findUser(tx: Db, workspaceId: string, id: string, { lock = false } = {}): Promise<User> {
  const found = isUuid(id)
    ? await tx
        .selectFrom("appUser")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .$if(lock, (query) => query.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (found) return found;
  const detail = `There is no user ${id} in this workspace. GET /users and \`user list\` show those that are there.`;
  throw new AppError("user_not_found", detail);
}

export async function findUserByEmail(db: Db, workspaceId: string, email: string) {
  return db
    .selectFrom("appUser")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("emailKey", "=", emailKey(email))
    .executeTakeFirstOrThrow();
}
