import { z } from "zod";
import type { App } from "../platform/app.ts";
import { storageUnavailable } from "../platform/errors.ts";
import { defineJob } from "../platform/queue.ts";
import { discardStaged } from "./recording.ts";

const batch = 500;

export interface SweepOptions {
  /** Only what was staged longer ago than this: an upload may be under way. */
  readonly olderThanMs: number;
  readonly onProgress?: (swept: number) => void;
}

/** Removes recordings, playback copies and drawings that no call ever claimed. Several may run at once; one that is stopped has lost nothing. */
export async function sweep(app: App, { olderThanMs, onProgress }: SweepOptions): Promise<number> {
  const before = new Date(Date.now() - olderThanMs);
  let swept = 0;
  let last = "";
  let failure: unknown;
  for (;;) {
    const rows = await app.db
      .selectFrom("stagedObject")
      .select("key")
      .where("createdAt", "<", before)
      .where("key", ">", last)
      .orderBy("key")
      .limit(batch)
      .execute();
    for (const { key } of rows) {
      last = key;
      try {
        await discardStaged(app, key);
        swept += 1;
        onProgress?.(swept);
      } catch (error) {
        // The others are not to wait for the one that cannot be removed.
        failure = error;
      }
    }
    if (rows.length < batch) break;
  }
  if (failure) throw storageUnavailable(failure);
  return swept;
}

/** A job's objects may be staged as long as the job may run. */
const leastAgeMs = 2 * 60 * 60_000;

/** An upload may take as long as a request may, and a failed one be uncertain a while longer. */
export const sweepAgeMs = (app: App) => Math.max(leastAgeMs, app.config.timeouts.requestMs * 2);

export const sweepRecordings = defineJob({
  name: "recording.sweep",
  schedule: "7 * * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    const swept = await sweep(app, { olderThanMs: sweepAgeMs(app) });
    if (swept > 0) app.log.info({ swept }, "unclaimed objects removed");
  },
});
