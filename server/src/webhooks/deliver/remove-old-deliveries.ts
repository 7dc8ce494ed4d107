import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { databaseUnavailable } from "../../platform/database/errors.ts";
import { defineJob } from "../../platform/queue/queue.ts";

const weeksAhead = 4;
const weekMs = 7 * 24 * 3_600_000;
const maxAttempts = 5;

/** Retries after a lock timeout. */
async function retryOnLock<T>(work: () => Promise<T>): Promise<T> {
  for (let left = maxAttempts - 1; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !databaseUnavailable(error)) throw error;
      await sleep(2_000);
    }
  }
}

/** Creates the partitions of this week and the next four. A fallback partition takes deliveries of weeks without one. */
export async function createUpcomingDeliveryPartitions(app: App): Promise<void> {
  for (let ahead = 0; ahead <= weeksAhead; ahead++) {
    const at = new Date(Date.now() + ahead * weekMs);
    await retryOnLock(() => sql`select add_delivery_week(${at})`.execute(app.db));
  }
}

/** Drops the weekly partitions that ended before a time. Returns their number. */
export async function dropDeliveriesBefore(app: App, before: Date): Promise<number> {
  for (let dropped = 0; ; dropped++) {
    const { rows } = await retryOnLock(() =>
      sql<{ dropped: boolean }>`select drop_delivery_week(${before}) as dropped`.execute(app.db),
    );
    if (!rows[0]?.dropped) return dropped;
  }
}

export const removeOldDeliveries = defineJob({
  name: "delivery.remove-old",
  schedule: "51 2 * * *",
  payload: z.object({}).nullish(),
  async run(app) {
    await createUpcomingDeliveryPartitions(app);
    const weeks = await dropDeliveriesBefore(app, new Date(Date.now() - app.config.events.retentionMs));
    if (weeks > 0) app.log.info({ weeks }, "removed old deliveries");
  },
});
