import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { defineJob, enqueue } from "../../platform/queue/queue.ts";
import { listWorkspaces } from "../../workspaces/list-workspaces.ts";
import { sendReviewEmail } from "./send-review-email.ts";

const batchSize = 200;

interface DueRow {
  readonly agentId: string;
  readonly released: number;
  readonly decided: number;
  /** Whether the agent can sign in and wants the email. */
  readonly isWanted: boolean;
}

/**
 * Queues the daily email of every agent whose reviews were released or decided. Counts of agents who get no email are
 * cleared as well, so that turning it on later does not announce old reviews. Returns the number of emails.
 */
export async function queueReviewEmails(app: App, workspaceId: string, signal?: AbortSignal): Promise<number> {
  let queued = 0;
  for (let last = lowestUuid; ; ) {
    signal?.throwIfAborted();
    const due = await inWorkspace(app, workspaceId, async (tx) => {
      // A job that is repeated within a day sends nothing a second time.
      const { rows } = await sql<DueRow>`
        with due as (
          select agent_id, released, decided from review_email
          where workspace_id = ${workspaceId} and agent_id > ${last} and released + decided > 0
            and (queued_at is null or queued_at < now() - interval '20 hours')
          order by agent_id limit ${batchSize} for update),
        cleared as (
          update review_email set released = 0, decided = 0, queued_at = now() from due
          where review_email.workspace_id = ${workspaceId} and review_email.agent_id = due.agent_id)
        select due.*, coalesce(u.review_email and u.role = 'agent' and u.status = 'active' and u.deactivated_at is null, false)
            as is_wanted
        from due left join app_user as u on u.workspace_id = ${workspaceId} and u.id = due.agent_id
        order by agent_id`.execute(tx);
      for (const { agentId: userId, released, decided, isWanted } of rows) {
        if (!app.mail || !isWanted) continue;
        await enqueue(tx, sendReviewEmail, { workspaceId, userId, released, decided });
        queued++;
      }
      return rows;
    });
    const lastDue = due.at(-1);
    if (!lastDue || due.length < batchSize) return queued;
    last = lastDue.agentId;
  }
}

export const queueAllReviewEmails = defineJob({
  name: "reviews.queue-emails",
  schedule: "7 6 * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    for (const { id } of await listWorkspaces(app.db)) {
      const emails = await queueReviewEmails(app, id, signal);
      if (emails > 0) app.log.info({ workspaceId: id, emails }, "queued daily review emails");
    }
  },
});
