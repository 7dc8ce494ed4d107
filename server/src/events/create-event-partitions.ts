import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import { defineJob } from "../platform/queue/queue.ts";

const monthsAhead = 2;

/** Creates the partitions of this month and the next two. The default partition takes events of months without one. */
export async function createUpcomingEventPartitions(app: App): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const now = new Date();
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    await sql`select add_event_month(${at})`.execute(app.db);
  }
}

export const createEventPartitions = defineJob({
  name: "event.add-months",
  schedule: "33 3 * * *",
  payload: z.object({}).nullish(),
  run: createUpcomingEventPartitions,
});
