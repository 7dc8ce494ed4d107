import type { Db } from "../platform/database/database.ts";
import { keysetPages } from "../platform/database/pages.ts";

/** Lists all workspaces, oldest first. For operators and jobs. */
export async function listWorkspaces(db: Db) {
  return db.selectFrom("workspace").selectAll().orderBy("createdAt").orderBy("id").execute();
}

const pageSize = 1_000;

/** Streams workspace ids in batches; `live` excludes erased workspaces. */
export async function* workspaceIds(db: Db, which: "all" | "live" = "all"): AsyncGenerator<string> {
  const read = (after: string, limit: number) =>
    db
      .selectFrom("workspace")
      .select("id")
      .where("id", ">", after)
      .$if(which === "live", (rows) => rows.where("erasedAt", "is", null))
      .orderBy("id")
      .limit(limit)
      .execute();
  for await (const rows of keysetPages({ read, keyOf: ({ id }) => id, pageSize })) {
    for (const { id } of rows) yield id;
  }
}
