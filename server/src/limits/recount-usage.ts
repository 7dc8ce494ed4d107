import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { defineJob } from "../platform/queue.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { findLimits } from "./find-limits.ts";
import { dayOf, isCounted, type Usage } from "./usage.ts";

/**
 * Counts the calls and corrects what was noted by the difference. Both are read at one moment, and what others add
 * meanwhile stays: nobody waits for it.
 */
export async function recountUsage(tx: Db, workspaceId: string, day: Date): Promise<Usage> {
  const { rows } = await sql<Usage>`
    with found as (
      select count(*) as calls, coalesce(sum(recording_bytes), 0)::bigint as bytes,
        count(*) filter (where created_at >= ${day}) as day_calls
      from call where workspace_id = ${workspaceId}
    ), noted as (
      select calls, bytes, case when day = ${day} then day_calls else 0 end as day_calls
      from workspace_usage where workspace_id = ${workspaceId}
    ), difference as (
      select found.calls - coalesce(noted.calls, 0) as calls, found.bytes - coalesce(noted.bytes, 0) as bytes,
        found.day_calls - coalesce(noted.day_calls, 0) as day_calls
      from found left join noted on true
    )
    insert into workspace_usage as usage (workspace_id, calls, bytes, day, day_calls)
    select ${workspaceId}, calls, bytes, ${day}, day_calls from difference
    on conflict (workspace_id) do update set
      calls = usage.calls + excluded.calls,
      bytes = usage.bytes + excluded.bytes,
      day_calls = case when usage.day = excluded.day then usage.day_calls else 0 end + excluded.day_calls,
      day = excluded.day
    returning calls, bytes, day, day_calls`.execute(tx);
  const [usage] = rows;
  if (!usage) throw new Error("counting gave no row");
  return usage;
}

/** Every hour: what a killed process had not noted yet, and whatever else made the counts wrong. */
export const recountAll = defineJob({
  name: "usage.recount",
  schedule: "17 * * * *",
  payload: z.object({}).nullish(),
  run: recountWorkspaces,
});

export async function recountWorkspaces(app: App): Promise<void> {
  for (const { id } of await listWorkspaces(app.db)) {
    await inWorkspace(app, id, async (tx) => {
      const { limits } = await findLimits(tx, app.config.limits, { workspaceId: id, keyId: null });
      if (isCounted(limits)) await recountUsage(tx, id, dayOf(Date.now()));
    });
  }
}
