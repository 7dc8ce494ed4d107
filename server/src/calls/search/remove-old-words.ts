import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { lowestUuid } from "../../platform/is-uuid.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { firstCallId } from "./call-filters.ts";

/** Rows of one transaction, and transactions for one workspace and run. The next run continues. */
const pageSize = 1_000;
const mostPages = 1_000;

/**
 * Removes the words of calls that are older than their workspace's `searchable_months`. They are not found since they are
 * that old (said-filter.ts); this frees their space.
 */
export const removeOldWords = defineJob({
  name: "words.remove-old",
  schedule: "29 2 * * *",
  payload: z.object({}).nullish(),
  async run(app, _, signal) {
    const { rows } = await sql<{ id: string; before: Date }>`
      select id, now() - ((settings ->> 'searchable_months') || ' months')::interval as before from workspace
      where settings ->> 'searchable_months' is not null order by id`.execute(app.db);
    for (const { id, before } of rows) {
      signal?.throwIfAborted();
      await removeWordsBefore(app, id, firstCallId(before), signal).catch((err) => {
        signal?.throwIfAborted();
        app.log.error(
          { err, workspaceId: id },
          "could not remove the old words of a workspace; continuing with the others",
        );
      });
    }
  },
});

async function removeWordsBefore(app: App, workspaceId: string, before: string, signal?: AbortSignal): Promise<void> {
  let after: string | null = lowestUuid;
  for (let page = 0; after !== null && page < mostPages; page++) {
    signal?.throwIfAborted();
    const from: string = after;
    after = await inWorkspace(app, workspaceId, (tx) => removePage(tx, workspaceId, from, before));
  }
}

/** Returns the last call whose words were removed, or null at the end. */
async function removePage(tx: Db, workspaceId: string, after: string, before: string): Promise<string | null> {
  const { rows } = await sql<{ last: string | null; rows: number }>`
    with page as materialized (
      select call_id from call_words
      where workspace_id = ${workspaceId} and call_id >= ${after} and call_id < ${before} order by call_id limit ${pageSize}
    ), removed as (
      delete from call_words
      where workspace_id = ${workspaceId} and call_id >= ${after} and call_id < ${before} and call_id = any (array(select call_id from page))
    )
    select (select call_id from page order by call_id desc limit 1) as last, (select count(*)::integer from page) as rows`.execute(
    tx,
  );
  const [found] = rows;
  return found && found.rows === pageSize ? found.last : null;
}
