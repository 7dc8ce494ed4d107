import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { defineJob } from "../platform/queue.ts";

const monthsAhead = 2;

/** Adds the tables of a month in which no call was before. */
export async function addCallMonth(db: Db, at: Date): Promise<void> {
  await sql`select add_call_month(${at})`.execute(db);
}

/** Makes the tables of this month and the next ones, before the first call of a month needs them. */
export async function addComingMonths(app: App): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const now = new Date();
    await addCallMonth(app.db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)));
  }
}

export const addCallMonths = defineJob({
  name: "call.add-months",
  schedule: "23 3 * * *",
  payload: z.object({}).nullish(),
  run: addComingMonths,
});
