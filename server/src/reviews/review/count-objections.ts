import type { Db } from "../../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";

/** Counts the disputes of a review since a correction lowered its score. */
export async function countObjections(
  tx: Db,
  { workspaceId, id, objectionsFrom }: Pick<ReviewRow, "workspaceId" | "id" | "objectionsFrom">,
): Promise<number> {
  const { count } = await tx
    .selectFrom("dispute")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("workspaceId", "=", workspaceId)
    .where("reviewId", "=", id)
    .where("revision", ">=", objectionsFrom)
    .executeTakeFirstOrThrow();
  return count;
}
