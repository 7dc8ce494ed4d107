import type { ListErasuresQuery } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import type { Erasure } from "./erasure.ts";

/** Lists erasures, newest first. */
export async function listErasures(
  tx: Db,
  workspaceId: string,
  { kind, cursor, limit }: ListErasuresQuery,
): Promise<{ erasures: Erasure[]; next: string | null }> {
  const found = await tx
    .selectFrom("erasure")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .$if(kind !== undefined, (rows) => rows.where("kind", "=", kind ?? ""))
    .$if(cursor !== undefined, (rows) => rows.where("id", "<", cursor ?? ""))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: erasures, next } = toPage(found, limit, ({ id }) => id);
  return { erasures, next };
}
