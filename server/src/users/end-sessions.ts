import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/**
 * Ends the sessions of a person, on every process within a second; but not the one that they use now, if it is named. To be
 * called first in a transaction: whoever signs in meanwhile by what counted before waits, and is refused.
 */
export async function endSessions(tx: Db, workspaceId: string, userId: string, { except }: { except?: string } = {}) {
  const people = tx.selectFrom("appUser").select("id").where("workspaceId", "=", workspaceId);
  await people.where("id", "=", userId).forNoKeyUpdate().execute();
  await tx
    .updateTable("session")
    .set({ endedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .$if(except !== undefined, (rows) => rows.where("id", "!=", except ?? ""))
    .execute();
}
