import type { Db } from "../platform/database/database.ts";

/** Every workspace, oldest first: for operators and for jobs that go through all of them. */
export async function listWorkspaces(db: Db) {
  return db.selectFrom("workspace").selectAll().orderBy("createdAt").orderBy("id").execute();
}
