import { z } from "zod";
import type { App } from "../platform/app.ts";
import { lookAtQueues } from "../platform/monitor.ts";
import { defineJob } from "../platform/queue.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { anyCallOf } from "./find-call.ts";
import { prepareAgain, unsettledCalls } from "./prepare-again.ts";
import { prepareCall } from "./prepare-call.ts";

/** So many of a workspace at a time: the next hour brings the next. */
const mostAtOnce = 1_000;

/**
 * Finds calls that wait for a job that is not there any more: nothing is in the queue, and they are still to be prepared.
 * It should never find one; a restored backup, an emptied queue or a defect of ours is how it may.
 */
export async function revive(app: App): Promise<number> {
  const prepare = (await lookAtQueues(app)).find(({ name }) => name === prepareCall.name);
  if (!prepare || prepare.queued + prepare.active > 0) return 0;
  let revived = 0;
  for (const { id: workspaceId } of await listWorkspaces(app.db)) {
    let found = 0;
    for await (const callId of unsettledCalls(app, workspaceId, { status: "received" })) {
      const { queued } = await prepareAgain(app, anyCallOf(workspaceId), callId);
      if (!queued) continue;
      revived += 1;
      found += 1;
      if (found >= mostAtOnce) break;
    }
  }
  return revived;
}

export const reviveCalls = defineJob({
  name: "call.revive",
  schedule: "37 * * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const revived = await revive(app);
    if (revived > 0) app.log.warn({ revived }, "calls without a job were found and are prepared again");
  },
});
