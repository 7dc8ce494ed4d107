import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { recordAuditEntry } from "../audit/record-audit-entry.ts";
import { system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { lowestUuid } from "../platform/is-uuid.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { cleanCalibrations } from "../reviews/calibrations/clean-calibrations.ts";
import { removeEmailCounts } from "../reviews/emails/remove-email-counts.ts";
import { deleteReviews } from "../reviews/write/delete-reviews.ts";
import { forEachWorkspace } from "../workspaces/for-each-workspace.ts";
import { isReviewHeld, lockHolds } from "./holds/legal-holds-sql.ts";

const batchSize = 100;

/** Where a batch ended. Times as text, because a Date has no microseconds. */
interface Position {
  readonly id: string;
  readonly submittedAt: string;
}

/** Which reviews are deleted, in the order of an index. */
interface Scan {
  readonly agentErased: boolean;
  readonly order: RawBuilder<unknown>;
  readonly condition: (after: Position | undefined) => RawBuilder<unknown>;
}

interface Batch {
  readonly deleted: number;
  /** Undefined: there are no more reviews. */
  readonly last: Position | undefined;
}

/** Deletes reviews with their revisions, comments and disputes. Passes over those under legal hold. */
async function deleteBatch(tx: Db, workspaceId: string, scan: Scan, after: Position | undefined): Promise<Batch> {
  await lockHolds(tx, workspaceId, "erase");
  const { rows } = await sql<Position>`
    select id, submitted_at::text as submitted_at from review
    where workspace_id = ${workspaceId} and ${scan.condition(after)}
    order by ${scan.order} limit ${batchSize}`.execute(tx);
  const deletable = await lockDeletable(tx, workspaceId, scan, rows, after);
  const ids = deletable.map(({ id }) => id);
  await deleteReviews(tx, workspaceId, ids);
  const sessions = deletable.map(({ calibrationId }) => calibrationId).filter((id) => id !== null);
  await cleanCalibrations(tx, workspaceId, sessions, { agentErased: scan.agentErased, isKept: isReviewHeld });
  return { deleted: ids.length, last: rows.length < batchSize ? undefined : rows.at(-1) };
}

/** Those that are still to be deleted and not under legal hold. In the order of ids, like all who lock several reviews. */
async function lockDeletable(
  tx: Db,
  workspaceId: string,
  scan: Scan,
  found: readonly Position[],
  after: Position | undefined,
): Promise<{ readonly id: string; readonly calibrationId: string | null }[]> {
  const { rows } = await sql<{ id: string; calibrationId: string | null }>`
    select id, calibration_id from review
    where workspace_id = ${workspaceId} and id = any (${found.map(({ id }) => id)}::uuid[]) and ${scan.condition(after)}
      and not ${isReviewHeld}
    order by id for update`.execute(tx);
  return rows;
}

/** Deletes the reviews of an agent who is being erased, except those under legal hold. */
export async function deleteReviewsOfAgent(app: App, workspaceId: string, agentId: string): Promise<void> {
  const scan: Scan = {
    agentErased: true,
    order: sql`id`,
    condition: (after) => sql`agent_id = ${agentId} and id > ${after?.id ?? lowestUuid}`,
  };
  let after: Position | undefined;
  do {
    const batch = await withRetries(() =>
      inWorkspace(app, workspaceId, (tx) => deleteBatch(tx, workspaceId, scan, after)),
    );
    after = batch.last;
  } while (after);
  await inWorkspace(app, workspaceId, (tx) => removeEmailCounts(tx, workspaceId, agentId));
}

/** The time before which submitted reviews are deleted. Null: they are kept. */
async function findCutoff(app: App, workspaceId: string): Promise<string | null> {
  const { rows } = await inWorkspace(app, workspaceId, (tx) =>
    sql<{ cutoff: string | null }>`
      select (now() - make_interval(months => (settings ->> 'review_retention_months')::integer))::text as cutoff
      from workspace where id = ${workspaceId}`.execute(tx),
  );
  return rows[0]?.cutoff ?? null;
}

/** Deletes reviews whose retention is over. Returns how many. */
export async function expireReviews(app: App, workspaceId: string, signal?: AbortSignal): Promise<number> {
  const cutoff = await findCutoff(app, workspaceId);
  if (cutoff === null) return 0;
  // The cutoff is a parameter: with a subquery, the planner would scan the primary key of all reviews.
  const scan: Scan = {
    agentErased: false,
    order: sql`review.submitted_at, id`,
    condition: (after) => sql`submitted_at < ${cutoff}::timestamptz
      and (submitted_at, id) > (${after?.submittedAt ?? "-infinity"}::timestamptz, ${after?.id ?? lowestUuid}::uuid)`,
  };
  let total = 0;
  let after: Position | undefined;
  do {
    signal?.throwIfAborted();
    const batch = await withRetries(() =>
      inWorkspace(app, workspaceId, async (tx) => {
        const { deleted, last } = await deleteBatch(tx, workspaceId, scan, after);
        if (deleted > 0) {
          const subject = { type: "workspace", id: workspaceId };
          const data = { reviews: deleted };
          await recordAuditEntry(tx, workspaceId, { actor: system, action: "reviews.expired", subject, data });
        }
        return { deleted, last };
      }),
    );
    total += batch.deleted;
    after = batch.last;
  } while (after);
  return total;
}

/** Daily job that applies the retention of reviews. */
export const expireAllReviews = defineJob({
  name: "reviews.expire",
  schedule: "41 1 * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    await forEachWorkspace(app, signal, async (workspaceId) => {
      const reviews = await expireReviews(app, workspaceId, signal);
      if (reviews > 0) app.log.info({ workspaceId, reviews }, "deleted expired reviews");
    });
  },
});
