import { emailKey } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";

/** An active user in any workspace. */
export interface UserWithEmail {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly userId: string;
  /** Null: no password set. */
  readonly passwordHash: string | null;
}

/** Finds users with this email address in all workspaces: before sign-in, the workspace is unknown. */
export async function findUsersByEmail({ db }: Pick<App, "db">, email: string): Promise<UserWithEmail[]> {
  const { rows } = await sql<UserWithEmail>`select * from find_people(${emailKey(email)})`.execute(db);
  return rows;
}
