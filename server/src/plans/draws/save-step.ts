import type { Updateable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { ReviewDraw } from "../../platform/database/tables.ts";
import type { DrawRow } from "./find-draw.ts";

/** Saves the state of a draw and where its next batch begins. */
export async function saveStep(
  tx: Db,
  { workspaceId, id }: DrawRow,
  state: string,
  position: object,
  more: Updateable<ReviewDraw> = {},
): Promise<void> {
  await tx
    .updateTable("reviewDraw")
    .set({ ...more, state, position: JSON.stringify(position) })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .execute();
}
