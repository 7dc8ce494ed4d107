import { z } from "zod";
import type { App } from "../platform/app.ts";
import { defineJob } from "../platform/queue.ts";
import { addCallMonth } from "./find-call.ts";

const monthsAhead = 2;

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
