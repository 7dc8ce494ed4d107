import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { keepSumsOfDeleted } from "../../scores/count-review.ts";

/** Deletes locked reviews with their revisions, comments and disputes. What they contributed to scores stays. */
export async function deleteReviews(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const writeSums = await keepSumsOfDeleted(tx, workspaceId, ids);
  await sql`select delete_reviews(${[...ids]}::uuid[])`.execute(tx);
  await writeSums();
}
