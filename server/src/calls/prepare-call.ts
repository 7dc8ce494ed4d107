import { z } from "zod";
import { defineJob } from "../platform/queue.ts";

/** First job of every call. The worker of this release leaves it in the queue for the one that prepares calls. */
export const prepareCall = defineJob({
  name: "call.prepare",
  concurrency: () => 0,
  payload: z.object({ workspaceId: z.uuid(), callId: z.uuid() }),
  async run() {},
});
