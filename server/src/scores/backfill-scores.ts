import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { workspaceIds } from "../workspaces/list-workspaces.ts";
import { verifyScores } from "./verify-scores.ts";

/**
 * Counts reviews that were released before the sums existed, once per workspace. Adds the difference from the stored sums day by day,
 * so it can be killed and repeated at any time, while reviews are released.
 */
export async function backfillScores(app: App, workspaceId: string, signal?: AbortSignal): Promise<void> {
  const pending = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("scoreBackfill")
      .select(({ cast, ref }) => cast<string | null>(ref("countedTo"), "text").as("countedTo"))
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirst(),
  );
  if (!pending) return;
  const onDay = (day: string) =>
    inWorkspace(app, workspaceId, async (tx) => {
      await tx
        .updateTable("scoreBackfill")
        .set({ countedTo: sql<Date>`${day}::date` })
        .where("workspaceId", "=", workspaceId)
        .execute();
    });
  await verifyScores(app, workspaceId, { repair: true, after: pending.countedTo ?? undefined, onDay, signal });
  await inWorkspace(app, workspaceId, (tx) =>
    tx.deleteFrom("scoreBackfill").where("workspaceId", "=", workspaceId).execute(),
  );
}

/** Runs when a worker starts. */
export const backfillAllScores = defineJob({
  name: "scores.backfill",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    const failures: unknown[] = [];
    for await (const id of workspaceIds(app.db, "live")) {
      signal?.throwIfAborted();
      await backfillScores(app, id, signal).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, "the scores of some workspaces were not counted");
  },
});
