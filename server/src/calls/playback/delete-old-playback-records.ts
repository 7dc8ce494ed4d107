import { z } from "zod";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { defineJob } from "../../platform/queue/queue.ts";

/** Deletes expired playback sessions. The audit log keeps the record; the next request starts a new session. */
export const deleteOldPlaybackRecords = defineJob({
  name: "listening.remove-old",
  schedule: "17 * * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const now = new Date();
    const workspaces = await app.db.selectFrom("workspace").select("id").execute();
    for (const { id } of workspaces) {
      await inWorkspace(app, id, (tx) =>
        tx.deleteFrom("listening").where("workspaceId", "=", id).where("until", "<", now).execute(),
      );
    }
  },
});
