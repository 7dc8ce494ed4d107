import { emailKey } from "@hearback/contract";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";

/** Somebody of some workspace, who is not deactivated. */
export interface Person {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly userId: string;
  /** Null: has no password yet. */
  readonly passwordHash: string | null;
}

/** Everybody with this address, in every workspace: before somebody is signed in nobody knows which is meant. */
export async function findPeople({ db }: Pick<App, "db">, email: string): Promise<Person[]> {
  const { rows } = await sql<Person>`select * from find_people(${emailKey(email)})`.execute(db);
  return rows;
}
