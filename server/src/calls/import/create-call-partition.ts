import { sql } from "kysely";
import { overLimit } from "../../limits/over-limit.ts";
import type { App } from "../../platform/app.ts";
import { onePer } from "../../platform/async/one-per.ts";
import { openSemaphore } from "../../platform/async/semaphore.ts";
import { openSingleFlight } from "../../platform/async/single-flight.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { withRetries } from "../../platform/database/with-retries.ts";
import { hasErrorCode } from "../../platform/error-code.ts";
import { secondsToTomorrow } from "../../workspaces/usage.ts";

/** Concurrent imports of a workspace into the same month share one creation. */
const creationsOf = onePer((_db: Db) => ({
  months: openSingleFlight<void>(),
  oneAtATime: openSemaphore({ concurrent: 1 }),
}));

/**
 * Creates the partitions for the month of an import. Each process creates one month at a time, on one connection, which leaves
 * the other connections for imports into existing months.
 */
export function createCallPartition(app: App, workspaceId: string, at: Date): Promise<void> {
  const { months, oneAtATime } = creationsOf(app.db);
  const create = () => oneAtATime(() => withRetries(() => createPartition(app, workspaceId, at)));
  return months.run(`${workspaceId} ${at.toISOString().slice(0, 7)}`, create);
}

/** SQLSTATE that add_call_month() raises if the workspace created too many months today (migration 0018). */
const isOverMonthLimit = (error: unknown) => hasErrorCode(error, "HB003");

async function createPartition(app: App, workspaceId: string, at: Date): Promise<void> {
  const limit = app.config.limits.workspace.newMonthsPerDay;
  try {
    await inWorkspace(app, workspaceId, (tx) =>
      sql`select add_call_month(${at}::timestamptz, ${limit}::integer)`.execute(tx),
    );
  } catch (error) {
    if (!isOverMonthLimit(error)) throw error;
    const resetsInSeconds = secondsToTomorrow(Date.now());
    throw overLimit({ name: "workspace_new_months", limit: limit ?? 0, left: 0, resetsInSeconds });
  }
}
