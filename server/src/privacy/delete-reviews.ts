import { sql } from "kysely";
import { z } from "zod";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { isHeld, lockHolds } from "./legal-holds-sql.ts";

const batchSize = 100;

/** Condition on `review`: no legal hold covers its call. */
const isFree = sql`not exists (select from call where call.workspace_id = review.workspace_id and call.id = review.call_id
  and ${isHeld})`;

/** Deletes reviews with their revisions, comments and disputes. Returns how many. */
async function deleteReviews(tx: Db, workspaceId: string, which: ReturnType<typeof sql>): Promise<number> {
  await lockHolds(tx, workspaceId, "erase");
  const { rows } = await sql<{ id: string }>`
    select id from review where workspace_id = ${workspaceId} and ${which} and ${isFree}
    order by id limit ${batchSize} for update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await sql`select delete_reviews(${ids}::uuid[])`.execute(tx);
  return ids.length;
}

/** Deletes the reviews of an agent who is being erased, except those whose call is under legal hold. */
export async function deleteReviewsOfAgent(app: App, workspaceId: string, agentId: string): Promise<void> {
  const ofAgent = sql`agent_id = ${agentId}`;
  for (let deleted = batchSize; deleted === batchSize; )
    deleted = await withRetries(() => inWorkspace(app, workspaceId, (tx) => deleteReviews(tx, workspaceId, ofAgent)));
}

/** Deletes reviews whose retention is over. Returns how many. */
export async function expireReviews(app: App, workspaceId: string, signal?: AbortSignal): Promise<number> {
  const isOver = sql`submitted_at < now() - make_interval(months => (
    select (settings ->> 'review_retention_months')::integer from workspace where id = ${workspaceId}))`;
  for (let total = 0; ; ) {
    signal?.throwIfAborted();
    const deleted = await withRetries(() =>
      inWorkspace(app, workspaceId, async (tx) => {
        const count = await deleteReviews(tx, workspaceId, isOver);
        const subject = { type: "workspace", id: workspaceId };
        if (count > 0) {
          const data = { reviews: count };
          await recordAuditEntry(tx, workspaceId, { actor: system, action: "reviews.expired", subject, data });
        }
        return count;
      }),
    );
    total += deleted;
    if (deleted < batchSize) return total;
  }
}

/** Daily job that applies the retention of reviews. */
export const expireAllReviews = defineJob({
  name: "reviews.expire",
  schedule: "41 1 * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    for (const { id } of await listWorkspaces(app.db)) {
      const reviews = await expireReviews(app, id, signal);
      if (reviews > 0) app.log.info({ workspaceId: id, reviews }, "deleted expired reviews");
    }
  },
});
