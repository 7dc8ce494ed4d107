import { emailKey, type Role, type UserBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { wrongCursor } from "../platform/wrong-cursor.ts";

export interface ListUsersInput {
  readonly email?: string | undefined;
  /** What the name or the address has in it; case does not count. */
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: UserBody["status"] | undefined;
  /** The id of the last user of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The users of a workspace, in the order of their addresses. */
export async function listUsers(tx: Db, workspaceId: string, input: ListUsersInput) {
  const { email, search, role, status, cursor, limit } = input;
  const after = cursor && (await placeOf(tx, workspaceId, cursor));
  const found = await tx
    .selectFrom("appUser")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .$if(email !== undefined, (rows) => rows.where("emailKey", "=", emailKey(email ?? "")))
    .$if(search !== undefined, (rows) => rows.where(mentions(search ?? "")))
    .$if(role !== undefined, (rows) => rows.where("role", "=", role ?? ""))
    .$if(status === "deactivated", (rows) => rows.where("deactivatedAt", "is not", null))
    .$if(status === "active" || status === "invited", (rows) =>
      rows.where("deactivatedAt", "is", null).where("status", "=", status ?? ""),
    )
    .$if(after !== undefined, (rows) => rows.where("emailKey", ">", after ?? ""))
    .orderBy("emailKey")
    .limit(limit + 1)
    .execute();
  const users = found.slice(0, limit);
  return { users, next: found.length > limit ? (users.at(-1)?.id ?? null) : null };
}

const mentions = (search: string) =>
  sql<boolean>`(strpos(email_key, ${emailKey(search)}) > 0 or strpos(lower(name), lower(${search.trim()})) > 0)`;

/** Where a page goes on. Cursors are ids: an address does not belong in the logs of every proxy. */
async function placeOf(tx: Db, workspaceId: string, id: string): Promise<string> {
  const rows = tx.selectFrom("appUser").select("emailKey").where("workspaceId", "=", workspaceId);
  const last = await rows.where("id", "=", id).executeTakeFirst();
  if (!last) throw wrongCursor();
  return last.emailKey;
}
