import { sql } from "kysely";
import { announce } from "../events/announce.ts";
import type { Db } from "../platform/database/database.ts";
import { addressDigest, erasedAddress } from "./former-user.ts";
import { removeAccess } from "./remove-access.ts";
import type { User } from "./user-body.ts";

/** The person, whom nobody can name in a new call until the transaction ends; undefined: there is none. */
export async function lockUser(tx: Db, workspaceId: string, id: string): Promise<User | undefined> {
  return tx
    .selectFrom("appUser")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("emailKey", "!=", erasedAddress(id))
    .forUpdate()
    .executeTakeFirst();
}

/** Notes that somebody was erased, so that they get the same id if they come back. */
export async function rememberErased(
  tx: Db,
  workspaceId: string,
  { userId, digest }: { userId: string; digest: Buffer },
): Promise<void> {
  await tx
    .insertInto("erasedAgent")
    .values({ workspaceId, userId, digest })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes a person, or what is known of them if something still refers to them. */
export async function removeUser(tx: Db, { workspaceId, id, email }: User): Promise<void> {
  await rememberErased(tx, workspaceId, { userId: id, digest: addressDigest(workspaceId, email) });
  await removeAccess(tx, workspaceId, id);
  await sql`savepoint before_removal`.execute(tx);
  try {
    await tx.deleteFrom("appUser").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "23503")) throw error;
    await sql`rollback to savepoint before_removal`.execute(tx);
    const gone = { role: "agent", deactivatedAt: sql<Date>`coalesce(deactivated_at, now())` };
    const nobody = { email: erasedAddress(id), emailKey: erasedAddress(id), name: "Erased", ...gone };
    await tx.updateTable("appUser").set(nobody).where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  }
  await announce(tx, { workspaceId, type: "user.erased", data: { user_id: id } });
}
