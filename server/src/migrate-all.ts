import { addComingMonths } from "./calls/add-call-months.ts";
import type { App } from "./platform/app.ts";
import { migrate } from "./platform/database/migrate.ts";
import { migrateQueue } from "./platform/queue-engine.ts";
import { jobs } from "./worker.ts";

/** Our migrations, the queue's own, and the tables of the coming months. Gives the names of those of ours that ran. */
export async function migrateAll(app: App, ownerUrl: string): Promise<string[]> {
  const applied = await migrate(ownerUrl);
  await migrateQueue(ownerUrl, jobs);
  await addComingMonths(app);
  return applied;
}
