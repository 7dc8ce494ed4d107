import type { ListHoldsQuery } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import type { Hold } from "./create-hold.ts";

/** Holds, newest first. */
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
  const holds = found.slice(0, limit);
  return { holds, next: found.length > limit ? (holds.at(-1)?.id ?? null) : null };
}
