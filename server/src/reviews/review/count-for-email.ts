import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { ReviewRow } from "./find-review.ts";

/** Counts a release or a decision for the agent's next daily email. */
export async function countForEmail(
  tx: Db,
  { workspaceId, agentId }: ReviewRow,
  what: "released" | "decided",
): Promise<void> {
  const count = sql.ref(what);
  await sql`
    insert into review_email (workspace_id, agent_id, ${count}) values (${workspaceId}, ${agentId}, 1)
    on conflict (workspace_id, agent_id) do update set ${count} = review_email.${count} + 1`.execute(tx);
}
