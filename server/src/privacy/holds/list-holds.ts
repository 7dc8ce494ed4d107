import type { ListHoldsQuery } from "@hearback/contract";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import type { Hold } from "./create-hold.ts";

/** Lists legal holds, newest first. */
export async function listHolds(
  tx: Db,
  workspaceId: string,
  { state, cursor, limit }: ListHoldsQuery,
): Promise<{ holds: Hold[]; next: string | null }> {
  const found = await tx
    .selectFrom("legalHold")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .$if(state === "active", (rows) => rows.where("releasedAt", "is", null))
    .$if(cursor !== undefined, (rows) => rows.where("id", "<", cursor ?? ""))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: holds, next } = toPage(found, limit, ({ id }) => id);
  return { holds, next };
}
