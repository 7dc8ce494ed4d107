import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { withRetries } from "../platform/database/with-retries.ts";

/** Starts a new event epoch unconditionally. New events sort after all existing ones. */
export async function beginEventEpoch(app: App): Promise<number> {
  const { rows } = await withRetries(() => sql<{ epoch: number }>`select begin_event_epoch() as epoch`.execute(app.db));
  return rows[0]?.epoch ?? 0;
}
