import { sql, type Updateable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { Review } from "../../platform/database/tables.ts";
import type { ReviewRow } from "./find-review.ts";

type Change = { readonly [Name in keyof Updateable<Review>]?: Updateable<Review>[Name] | ReturnType<typeof sql> };

/** Updates the review and gives it the next number, which it returns. */
export async function updateReview(tx: Db, { workspaceId, id }: ReviewRow, change: Change): Promise<number> {
  const { number } = await tx
    .updateTable("review")
    .set({ ...(change as Updateable<Review>), number: sql<number>`number + 1` })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .returning("number")
    .executeTakeFirstOrThrow();
  return number;
}
