import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { sweepObjects } from "./staged-objects.ts";

/** A job's objects stay staged for as long as the job runs. */
const minAgeMs = 2 * 60 * 60_000;

/** Twice the request timeout: the longest upload, plus a margin for failed uploads whose objects appear late. */
export const sweepAgeMs = (app: App) => Math.max(minAgeMs, app.config.timeouts.requestMs * 2);

export const sweepRecordings = defineJob({
  name: "recording.sweep",
  schedule: "7 * * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const swept = await sweepObjects(app, { olderThanMs: sweepAgeMs(app) });
    if (swept > 0) app.log.info({ swept }, "deleted unclaimed objects");
  },
});
