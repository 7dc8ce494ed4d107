import { createHash } from "node:crypto";
import { emailKey } from "@hearback/contract";
import type { Updateable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { AppUser } from "../platform/database/tables.ts";
import { signInMethods } from "./sign-in-methods.ts";
import type { User } from "./user-body.ts";

/** Digest of an erased user's email address: recognises the address without storing it. */
export const emailDigest = (workspaceId: string, email: string): Buffer => digestOf(workspaceId + emailKey(email));
const digestOf = (text: string) => createHash("sha256").update(text).digest();

/** Placeholder email address of an erased user whose row must stay because other rows reference it. */
export const erasedEmail = (id: string) => `${id}@erased.invalid`;

/** The id of the erased user with this email address. A returning user gets the same id, so that re-sent calls are recognised. */
export async function findErasedUserId(tx: Db, workspaceId: string, email: string): Promise<string | undefined> {
  const erased = tx.selectFrom("erasedAgent").select("userId").where("workspaceId", "=", workspaceId);
  return (await erased.where("digest", "=", emailDigest(workspaceId, email)).executeTakeFirst())?.userId;
}

/** Reuses the row of an erased user, if it was kept, for the returning user. */
export async function restoreErasedUser(
  tx: Db,
  workspaceId: string,
  id: string,
  values: Updateable<AppUser>,
): Promise<User | undefined> {
  return tx
    .updateTable("appUser")
    .set(values)
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("emailKey", "=", erasedEmail(id))
    .returningAll()
    .returning(signInMethods)
    .executeTakeFirst();
}
