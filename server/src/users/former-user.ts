import { createHash } from "node:crypto";
import { emailKey } from "@hearback/contract";
import type { Updateable } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { AppUser } from "../platform/database/tables.ts";
import type { User } from "./user-body.ts";

/** What is kept of an erased person's address: enough to know it again, and not to read it. */
export const addressDigest = (workspaceId: string, email: string): Buffer =>
  createHash("sha256")
    .update(workspaceId + emailKey(email))
    .digest();

/** In the place of the address of a person who cannot be removed, because something else refers to them. */
export const erasedAddress = (id: string) => `${id}@erased.invalid`;

/** The id that an erased person with this address had. Their calls are known by it when they are sent again. */
export async function findFormerId(tx: Db, workspaceId: string, email: string): Promise<string | undefined> {
  const former = await tx
    .selectFrom("erasedAgent")
    .select("userId")
    .where("workspaceId", "=", workspaceId)
    .where("digest", "=", addressDigest(workspaceId, email))
    .executeTakeFirst();
  return former?.userId;
}

/** Gives the row of an erased person, where one had to stay, back to them. */
export async function renameErased(
  tx: Db,
  workspaceId: string,
  id: string,
  person: Updateable<AppUser>,
): Promise<User | undefined> {
  return tx
    .updateTable("appUser")
    .set(person)
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("emailKey", "=", erasedAddress(id))
    .returningAll()
    .executeTakeFirst();
}
