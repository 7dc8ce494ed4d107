import { sql } from "kysely";
import { callsReady } from "../../calls/hooks.ts";
import { onHook } from "../../platform/hooks.ts";

/**
 * Makes calls candidates for the draws of the workspace's plans, also of a plan that was ended: its current period is still drawn. A
 * plan that is being created is not missed: the frame of its first draw begins after its commit, and this statement's snapshot is
 * taken after the transaction's first write.
 */
export const noteReady = onHook(callsReady, async (tx, { workspaceId, callIds }) => {
  await sql`
    insert into ready_call (workspace_id, call_id) select ${workspaceId}, id from unnest(${[...callIds]}::uuid[]) as id
    where exists (select from review_plan where workspace_id = ${workspaceId} and ended_at is null)
      or exists (select from review_draw where workspace_id = ${workspaceId} and state <> 'drawn')`.execute(tx);
});
