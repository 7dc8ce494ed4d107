import { createHash } from "node:crypto";
import { emailKey } from "@hearback/contract";
import type { Updateable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { AppUser } from "../platform/database/tables.ts";
import { signInMethods } from "./sign-in-methods.ts";
import type { User } from "./user-body.ts";

/** Digest of an erased user's email address: recognises the address without storing it. */
export const emailDigest = (workspaceId: string, email: string): Buffer => digestOf(workspaceId + emailKey(email));
/** The digest from when case folding covered all of Unicode. Older erasures have no other. */
const legacyEmailDigest = (workspaceId: string, email: string) => digestOf(workspaceId + email.trim().toLowerCase());
const digestOf = (text: string) => createHash("sha256").update(text).digest();

/** Placeholder email address of an erased user whose row must stay because other rows reference it. */
export const erasedEmail = (id: string) => `${id}@erased.invalid`;

/** The id of the erased user with this email address. A returning user gets the same id, so that re-sent calls are recognised. */
export async function findErasedUserId(tx: Db, workspaceId: string, email: string): Promise<string | undefined> {
  const findByDigest = async (digest: Buffer) => {
    const erased = tx.selectFrom("erasedAgent").select("userId").where("workspaceId", "=", workspaceId);
    return (await erased.where("digest", "=", digest).executeTakeFirst())?.userId;
  };
  const id = await findByDigest(emailDigest(workspaceId, email));
  if (id) return id;
  const legacyId = await findByDigest(legacyEmailDigest(workspaceId, email));
  return legacyId && !(await isInUse(tx, workspaceId, legacyId)) ? legacyId : undefined;
}

/** Whether a user has this id, whose email address matched under the old Unicode case folding. */
async function isInUse(tx: Db, workspaceId: string, id: string): Promise<boolean> {
  const users = tx.selectFrom("appUser").select("id").where("workspaceId", "=", workspaceId).where("id", "=", id);
  return (await users.where("emailKey", "!=", erasedEmail(id)).executeTakeFirst()) !== undefined;
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
