import type { Db } from "../../platform/database/database.ts";
import type { UserRow } from "../user-body.ts";

interface MailRecipient {
  /** Undefined: the user was erased. */
  readonly user: UserRow | undefined;
  readonly workspace: { readonly name: string };
}

/** Finds the user and workspace for an email. `lock` prevents changes to the user until the transaction ends. */
export async function findMailRecipient(
  tx: Db,
  workspaceId: string,
  userId: string,
  { lock = false } = {},
): Promise<MailRecipient> {
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
