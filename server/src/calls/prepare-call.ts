import { z } from "zod";
import { declareJob } from "../platform/queue.ts";

/** First job of every call. The worker of this release leaves it in the queue for the one that prepares calls. */
export const prepareCall = declareJob({
  name: "call.prepare",
  payload: z.object({ workspaceId: z.uuid(), callId: z.uuid() }),
});
