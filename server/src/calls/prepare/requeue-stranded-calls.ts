import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { AppError } from "../../platform/errors.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { listWorkspaces } from "../../workspaces/list-workspaces.ts";
import { delayedAfterMs } from "../call/call-detail.ts";
import { unrestrictedViewer } from "../call/find-call.ts";
import { callsWithoutJob } from "./calls-without-job.ts";
import { prepareCall } from "./prepare-call.ts";
import { retryPreparation } from "./retry-preparation.ts";

interface Limits {
  /** Waiting calls checked per statement. */
  readonly batchSize: number;
  /** Batches per run. Each batch with an old call costs one scan of the pending jobs. */
  readonly batches: number;
}

const defaultLimits: Limits = { batchSize: 2_000, batches: 20 };

/** Where the previous run stopped. In memory only: a new process starts at the first workspace. */
let resumeAt = { workspaceId: "", callId: lowestUuid };

/**
 * Finds calls that have been waiting for long without a job, and queues one. A safety net: such calls exist only after a
 * restored backup, an emptied queue or a bug.
 */
export async function requeue(app: App, { batchSize, batches }: Limits = defaultLimits): Promise<number> {
  const workspaces = (await listWorkspaces(app.db)).map(({ id }) => id).sort();
  const start = resumeAt;
  const order = [
    ...workspaces.filter((id) => id >= start.workspaceId),
    ...workspaces.filter((id) => id < start.workspaceId),
  ];
  let remaining = batches;
  let requeued = 0;
  for (const workspaceId of order) {
    resumeAt = { workspaceId, callId: workspaceId === start.workspaceId ? start.callId : lowestUuid };
    if (remaining === 0) return requeued;
    for await (const calls of waitingCalls(app, workspaceId, { after: resumeAt.callId, batchSize })) {
      const oldIds = calls.filter(({ isOld }) => isOld).map(({ id }) => id);
      for (const callId of await callsWithoutJob(app.db, prepareCall.name, oldIds))
        requeued += await requeueCall(app, workspaceId, callId);
      resumeAt = { workspaceId, callId: calls.at(-1)?.id ?? lowestUuid };
      remaining -= oldIds.length > 0 ? 1 : 0;
      if (remaining === 0 && calls.length === batchSize) return requeued;
    }
  }
  resumeAt = { workspaceId: "", callId: lowestUuid };
  return requeued;
}

interface WaitingCall {
  readonly id: string;
  /** Whether its last attempt or import was long ago. */
  readonly isOld: boolean;
}

/** Served by the index call_unsettled. */
function waitingCalls(
  app: App,
  workspaceId: string,
  { after, batchSize }: { after: string; batchSize: number },
): AsyncGenerator<WaitingCall[]> {
  const before = new Date(Date.now() - delayedAfterMs);
  const read = async (last: string, limit: number) => {
    const { rows } = await inWorkspace(app, workspaceId, (tx) =>
      sql<WaitingCall>`
        select waiting.id, waiting.created_at < ${before} and coalesce(step.started_at < ${before}, true) as is_old
        from (
          select workspace_id, id, created_at from call
          where workspace_id = ${workspaceId}::uuid and status = 'received' and id > ${last}::uuid order by id limit ${limit}
        ) as waiting
        left join call_step as step
          on step.workspace_id = waiting.workspace_id and step.call_id = waiting.id and step.step = 'prepare'
        order by waiting.id`.execute(tx),
    );
    return rows;
  };
  return keysetPages({ read, keyOf: ({ id }) => id, pageSize: batchSize, after });
}

async function requeueCall(app: App, workspaceId: string, callId: string): Promise<number> {
  try {
    return (await retryPreparation(app, unrestrictedViewer(workspaceId), callId)).queued ? 1 : 0;
  } catch (error) {
    // The call was prepared or erased meanwhile.
    if (error instanceof AppError && ["call_ready", "call_not_found"].includes(error.code)) return 0;
    throw error;
  }
}

export const requeueStrandedCalls = defineJob({
  name: "call.revive",
  schedule: "*/10 * * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const requeued = await requeue(app);
    if (requeued > 0) app.log.warn({ requeued }, "requeued calls that had no job");
  },
});
