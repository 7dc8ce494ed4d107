import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { workspaceIds } from "../../workspaces/list-workspaces.ts";
import { recountImports } from "./recount-imports.ts";

const batchSize = 5_000;
/** Import summaries cover at most 31 days. */
const retentionDays = 35;

/** Merges a batch of a workspace's oldest deltas into its counters. Returns the number merged, or 0 if another process holds the lock. */
export async function mergeImportDeltas(app: App, workspaceId: string): Promise<number> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const { rows: locks } = await sql<{ acquired: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('hearback.fold_imports'), hashtext(${workspaceId})) as acquired`.execute(
      tx,
    );
    if (!locks[0]?.acquired) return 0;
    const { rows } = await sql<{ count: number }>`
      with merged as (
        delete from import_delta where workspace_id = ${workspaceId} and id in (
          select id from import_delta where workspace_id = ${workspaceId} order by id limit ${batchSize}
        ) returning bucket, campaign_id, status, failure_code, count
      ), added as (
        insert into import_count as counted (workspace_id, bucket, campaign_id, status, failure_code, count)
        select ${workspaceId}, bucket, campaign_id, status, failure_code, sum(count) from merged
        group by bucket, campaign_id, status, failure_code having sum(count) <> 0
        on conflict (workspace_id, bucket, campaign_id, status, failure_code)
          do update set count = counted.count + excluded.count
      )
      select count(*) as count from merged`.execute(tx);
    return rows[0]?.count ?? 0;
  });
}

/** On average, one in this many prepared calls triggers a merge, so busy workspaces merge most often. */
const callsPerMerge = 300;

export async function mergeOccasionally(app: App, workspaceId: string): Promise<void> {
  if (Math.random() * callsPerMerge > 1) return;
  await mergeImportDeltas(app, workspaceId).catch((err) =>
    app.log.warn({ err, workspaceId }, "could not merge import counters; a later run retries"),
  );
}

async function mergeWorkspace(app: App, workspaceId: string, signal?: AbortSignal): Promise<void> {
  await recountImports(app, workspaceId, signal);
  while ((await mergeImportDeltas(app, workspaceId)) === batchSize) signal?.throwIfAborted();
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .deleteFrom("importCount")
      .where("workspaceId", "=", workspaceId)
      .where("bucket", "<", new Date(Date.now() - retentionDays * 24 * 3600_000))
      .execute(),
  );
}

export const mergeAllImportDeltas = defineJob({
  name: "imports.fold",
  schedule: "*/10 * * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    for await (const id of workspaceIds(app.db, "live")) {
      signal?.throwIfAborted();
      await mergeWorkspace(app, id, signal).catch((err) => {
        signal?.throwIfAborted();
        app.log.error(
          { err, workspaceId: id },
          "could not merge the import counters of a workspace; continuing with the others",
        );
      });
    }
  },
});
