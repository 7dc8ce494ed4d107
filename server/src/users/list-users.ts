import { emailKey, type Role, type UserBody } from "@hearback/contract";
import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { invalidCursor } from "../platform/invalid-cursor.ts";
import { signInMethods } from "./sign-in-methods.ts";

export interface ListUsersInput {
  readonly email?: string | undefined;
  /** Case-insensitive substring of name or email address. */
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: UserBody["status"] | undefined;
  readonly teamId?: string | undefined;
  /** Id of the last user of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists the users of a workspace, ordered by email address. */
export async function listUsers(tx: Db, workspaceId: string, input: ListUsersInput) {
  const { email, search, role, status, teamId, cursor, limit } = input;
  const after = cursor && (await emailKeyOfCursor(tx, workspaceId, cursor));
  const found = await tx
    .selectFrom("appUser")
    .selectAll()
    .select(signInMethods)
    .where("workspaceId", "=", workspaceId)
    .$if(email !== undefined, (rows) => rows.where("emailKey", "=", emailKey(email ?? "")))
    .$if(search !== undefined, (rows) => rows.where(matchesSearch(search ?? "")))
    .$if(role !== undefined, (rows) => rows.where("role", "=", role ?? ""))
    .$if(status === "deactivated", (rows) => rows.where("deactivatedAt", "is not", null))
    .$if(status === "active" || status === "invited", (rows) =>
      rows.where("deactivatedAt", "is", null).where("status", "=", status ?? ""),
    )
    .$if(teamId !== undefined, (rows) => rows.where("teamId", "=", teamId ?? ""))
    .$if(after !== undefined, (rows) => rows.where("emailKey", ">", after ?? ""))
    .orderBy("emailKey")
    .limit(limit + 1)
    .execute();
  const { rows: users, next } = toPage(found, limit, ({ id }) => id);
  return { users, next };
}

const matchesSearch = (search: string) =>
  sql<boolean>`(strpos(email_key, ${emailKey(search)}) > 0 or strpos(lower(name), lower(${search.trim()})) > 0)`;

/** The sort key of a cursor. Cursors are ids, so that email addresses do not end up in proxy logs. */
async function emailKeyOfCursor(tx: Db, workspaceId: string, id: string): Promise<string> {
  const rows = tx.selectFrom("appUser").select("emailKey").where("workspaceId", "=", workspaceId);
  const last = await rows.where("id", "=", id).executeTakeFirst();
  if (!last) throw invalidCursor();
  return last.emailKey;
}
