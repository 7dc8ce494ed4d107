import { createUpcomingCallPartitions } from "./calls/import/create-upcoming-partitions.ts";
import { createUpcomingEventPartitions } from "./events/create-event-partitions.ts";
import type { App } from "./platform/app.ts";
import { type MigrateOptions, migrate } from "./platform/database/migrate.ts";
import { withRetries } from "./platform/database/with-retries.ts";
import { migrateQueue } from "./platform/queue/queue-engine.ts";
import { createUpcomingDeliveryPartitions } from "./webhooks/deliver/remove-old-deliveries.ts";
import { jobs } from "./worker.ts";

/** Adds a lock_timeout to the URL, for every connection. */
function withLockTimeout(url: string): string {
  const limited = new URL(url);
  limited.searchParams.set("lock_timeout", "1000");
  return limited.href;
}

/** Runs our migrations and those of the queue, and creates upcoming partitions. Returns the names of our migrations that ran. */
export async function migrateAll(app: App, ownerUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const applied = await migrate(ownerUrl, options);
  await withRetries(() => migrateQueue(withLockTimeout(ownerUrl), jobs));
  await createUpcomingCallPartitions(app);
  await createUpcomingDeliveryPartitions(app);
  await createUpcomingEventPartitions(app);
  return applied;
}
