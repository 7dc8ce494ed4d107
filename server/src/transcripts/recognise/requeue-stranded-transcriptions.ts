import { sql } from "kysely";
import { z } from "zod";
import { delayedAfterMs } from "../../calls/call/call-detail.ts";
import { callsWithoutJob } from "../../calls/prepare/calls-without-job.ts";
import { queueTranscription, transcriptionJob } from "../../calls/prepare/transcription-job.ts";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { workspaceIds } from "../../workspaces/list-workspaces.ts";

/** Calls checked per statement. Each costs one scan of the pending jobs. */
const batchSize = 2_000;
/** Per workspace and run: if so many calls wait with a job, the queue is alive. */
const mostBatches = 3;

/**
 * Finds transcriptions that have been waiting for long without a job, and queues them. A safety net: they exist only after an
 * emptied queue or a bug.
 */
export async function requeueTranscriptions(app: App): Promise<number> {
  let requeued = 0;
  for await (const workspaceId of workspaceIds(app.db, "live")) {
    let batches = 0;
    for await (const ids of waitingTranscriptions(app, workspaceId)) {
      const stranded = await callsWithoutJob(app.db, transcriptionJob.name, ids);
      for (const id of stranded)
        await inWorkspace(app, workspaceId, (tx) => queueTranscription(tx, { workspaceId, id }));
      requeued += stranded.length;
      batches += 1;
      if (batches === mostBatches) break;
    }
  }
  return requeued;
}

/** Served by the index call_step_to_transcribe. */
async function* waitingTranscriptions(app: App, workspaceId: string): AsyncGenerator<string[]> {
  const before = new Date(Date.now() - delayedAfterMs);
  const read = async (after: string, limit: number) => {
    const { rows } = await inWorkspace(app, workspaceId, (tx) =>
      sql<{ id: string }>`
        select call_id as id from call_step
        where workspace_id = ${workspaceId} and step = 'transcribe' and state = 'running' and call_id > ${after}
          and started_at < ${before}
        order by call_id limit ${limit}`.execute(tx),
    );
    return rows;
  };
  for await (const rows of keysetPages({ read, keyOf: ({ id }) => id, pageSize: batchSize, after: lowestUuid }))
    yield rows.map(({ id }) => id);
}

export const requeueStrandedTranscriptions = defineJob({
  name: "call.transcribe_revive",
  schedule: "25 * * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const requeued = await requeueTranscriptions(app);
    if (requeued > 0) app.log.warn({ requeued }, "requeued transcriptions that had no job");
  },
});
