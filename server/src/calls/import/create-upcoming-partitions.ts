import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { defineJob } from "../../platform/queue/queue.ts";

const monthsAhead = 2;

/** Creates the partitions of a month if they are missing. Concurrent calls wait for each other; other sessions never wait. */
async function createPartition(db: Db, at: Date): Promise<void> {
  await sql`select add_call_month(${at})`.execute(db);
}

/** Creates the partitions of this month and the next two ahead of time, so that imports find them. */
export async function createUpcomingCallPartitions(app: App): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const now = new Date();
    await createPartition(app.db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)));
  }
}

export const createCallPartitions = defineJob({
  name: "call.add-months",
  schedule: "23 3 * * *",
  payload: z.object({}).nullish(),
  run: createUpcomingCallPartitions,
});
