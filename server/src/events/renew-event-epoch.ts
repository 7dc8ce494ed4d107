import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { databaseUnavailable } from "../platform/database/unavailable.ts";

const pauseMs = 1_000;

const renew = (app: App) => sql`select renew_event_epoch()`.execute(app.db);

/**
 * Begins another epoch of events if the tables were restored into another cluster. A process may start before its
 * database: then it is done as soon as that answers.
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
    await sleep(pauseMs, undefined, { ref: false });
    try {
      await renew(app);
      return;
    } catch (err) {
      if (databaseUnavailable(err)) continue;
      app.log.warn({ err }, "the epoch of events was not renewed");
      return;
    }
  }
}
