import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

/**
 * Prevents changes of the assignments of a call until the transaction ends. In the order of ids, which all who lock several
 * assignments have in common. Call it after reviews are locked.
 */
export async function lockAssignments(tx: Db, workspaceId: string, callId: string): Promise<void> {
  await sql`
    select from assignment where workspace_id = ${workspaceId} and call_id = ${callId}
    order by id for no key update`.execute(tx);
}
