import { sql, type Updateable } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { WhatIf } from "../../platform/database/tables.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { firstUuidV7Of } from "../../platform/uuid-v7.ts";
import { forEachWorkspace } from "../../workspaces/for-each-workspace.ts";
import { findWhatIf } from "./find-what-if.ts";

type End = Pick<Updateable<WhatIf>, "replayed" | "olderVersions" | "result"> & {
  readonly state: "done" | "failed" | "cancelled";
};

/** Ends a run and deletes what only a running one needs. Does nothing if it has ended. */
export async function endWhatIf(
  tx: Db,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  end: End,
): Promise<void> {
  await tx
    .updateTable("whatIf")
    .set({ ...end, document: null, sums: null, position: null, endedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("state", "in", ["queued", "running"])
    .execute();
}

/** Cancels a run. The worker stops after the current batch. A run that has ended stays as it is. */
export const cancelWhatIf = (app: App, workspaceId: string, id: string): Promise<void> =>
  inWorkspace(app, workspaceId, async (tx) => {
    await findWhatIf(tx, workspaceId, id);
    await endWhatIf(tx, { workspaceId, id }, { state: "cancelled" });
  });

const keptMs = 30 * 24 * 3600_000;

/** Deletes runs that were requested more than 30 days ago. */
export const deleteOldWhatIfs = defineJob({
  name: "what-if.delete-old",
  schedule: "37 3 * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    const oldest = firstUuidV7Of(new Date(Date.now() - keptMs));
    await forEachWorkspace(app, signal, async (workspaceId) => {
      await inWorkspace(app, workspaceId, (tx) =>
        tx.deleteFrom("whatIf").where("workspaceId", "=", workspaceId).where("id", "<", oldest).execute(),
      );
    });
  },
});
