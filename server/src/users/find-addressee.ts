import type { Db } from "../platform/database/database.ts";
import type { User } from "./user-body.ts";

interface Addressee {
  /** Absent: erased since. */
  readonly user: User | undefined;
  readonly workspace: { readonly name: string };
}

/** Whom a letter is for, and on whose behalf it is written. Locked, nobody changes them until the transaction ends. */
export async function findAddressee(
  tx: Db,
  workspaceId: string,
  userId: string,
  { lock = false } = {},
): Promise<Addressee> {
  const users = tx.selectFrom("appUser").selectAll().where("workspaceId", "=", workspaceId);
  const workspaces = tx.selectFrom("workspace").select("name").where("id", "=", workspaceId);
  return {
    user: await users
      .where("id", "=", userId)
      .$if(lock, (rows) => rows.forNoKeyUpdate())
      .executeTakeFirst(),
    workspace: await workspaces.executeTakeFirstOrThrow(),
  };
}
