import type { Db } from "../platform/database/database.ts";
import { lowestUuid } from "../platform/is-uuid.ts";

/** Every workspace, oldest first: for operators and for jobs that go through all of them. */
export async function listWorkspaces(db: Db) {
  return db.selectFrom("workspace").selectAll().orderBy("createdAt").orderBy("id").execute();
}

const batch = 1_000;

/** The ids of all workspaces, however many there are. */
export async function* workspaceIds(db: Db): AsyncGenerator<string> {
  for (let last = lowestUuid; ; ) {
    const rows = await db
      .selectFrom("workspace")
      .select("id")
      .where("id", ">", last)
      .orderBy("id")
      .limit(batch)
      .execute();
    for (const { id } of rows) yield id;
    const end = rows.at(-1);
    if (!end || rows.length < batch) return;
    last = end.id;
  }
}
