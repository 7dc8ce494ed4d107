import { sql } from "kysely";
import { z } from "zod";
import { emitEvents } from "../../events/emit-event.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { listWorkspaces } from "../../workspaces/list-workspaces.ts";

const batchSize = 100;

interface OverdueRow {
  readonly disputeId: string;
  readonly reviewId: string;
  readonly callId: string;
  readonly campaignId: string;
  readonly agentId: string;
}

/** Emits dispute.overdue once for every open dispute whose time is over. Returns their number. */
export async function announceOverdueDisputes(app: App, workspaceId: string): Promise<number> {
  for (let announced = 0; ; ) {
    const found = await inWorkspace(app, workspaceId, async (tx) => {
      const { rows } = await sql<OverdueRow>`
        update dispute set overdue_at = now() from review
        where dispute.workspace_id = ${workspaceId} and dispute.id in (
            select id from dispute where workspace_id = ${workspaceId} and state = 'open' and overdue_at is null and due_at < now()
            order by due_at limit ${batchSize} for update skip locked)
          and review.workspace_id = dispute.workspace_id and review.id = dispute.review_id
        returning dispute.id as dispute_id, review.id as review_id, call_id, campaign_id, dispute.agent_id`.execute(tx);
      const data = rows.map(({ disputeId, reviewId, callId, campaignId, agentId }) => ({
        dispute_id: disputeId,
        review_id: reviewId,
        call_id: callId,
        campaign_id: campaignId,
        agent_id: agentId,
      }));
      await emitEvents(tx, { workspaceId, type: "dispute.overdue", data });
      return rows.length;
    });
    announced += found;
    if (found < batchSize) return announced;
  }
}

export const announceOverdue = defineJob({
  name: "disputes.overdue",
  schedule: "23 * * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    for (const { id } of await listWorkspaces(app.db)) {
      signal?.throwIfAborted();
      await announceOverdueDisputes(app, id);
    }
  },
});
