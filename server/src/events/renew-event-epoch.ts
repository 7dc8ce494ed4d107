import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { databaseUnavailable } from "../platform/database/errors.ts";

const retryMs = 1_000;

const renew = (app: App) => sql`select renew_event_epoch()`.execute(app.db);

/**
 * Starts an event epoch for the running database server if it has none. The first event insert would do this too, but would
 * block other transactions with events until it commits. If the database is unavailable at startup, retries until it responds.
 */
export async function renewEventEpoch(app: App): Promise<void> {
  try {
    await renew(app);
  } catch (error) {
    if (!databaseUnavailable(error)) throw error;
    void renewLater(app);
  }
}

async function renewLater(app: App): Promise<void> {
  for (;;) {
    await sleep(retryMs, undefined, { ref: false });
    try {
      await renew(app);
      return;
    } catch (err) {
      if (databaseUnavailable(err)) continue;
      app.log.warn({ err }, "could not renew the event epoch");
      return;
    }
  }
}
