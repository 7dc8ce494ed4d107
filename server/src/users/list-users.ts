import { emailKey, type Role, type UserBody } from "@hearback/contract";
import { sql } from "kysely";
import { openListCursor } from "../events/list-cursor.ts";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import { signInMethods } from "./sign-in-methods.ts";

export interface ListUsersInput {
  readonly email?: string | undefined;
  /** Case-insensitive substring of name or email address. */
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: UserBody["status"] | undefined;
  readonly teamId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists the users of a workspace, ordered by email address. */
export async function listUsers(tx: Db, workspaceId: string, input: ListUsersInput) {
  const { email, search, role, status, teamId, cursor, limit } = input;
  const cursors = await openListCursor(tx, workspaceId, "users");
  const after = cursors.read(cursor);
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
    .$if(after !== undefined, (rows) => rows.where("emailKey", ">", after?.[0] ?? ""))
    .orderBy("emailKey")
    .limit(limit + 1)
    .execute();
  const { rows: users, next } = toPage(found, limit, ({ emailKey }) => [emailKey]);
  return { users, next: cursors.write(next) };
}

const matchesSearch = (search: string) =>
  sql<boolean>`(strpos(email_key, ${emailKey(search)}) > 0 or strpos(lower(name), lower(${search.trim()})) > 0)`;
