import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { Workspace } from "../platform/database/tables.ts";

/** Creates a workspace with its usage counters at zero, which need no recount. */
export async function createWorkspace({ db }: { db: Db }, name: string, id: string = randomUUID()) {
  const { rows } = await sql<Selectable<Workspace>>`
    with scope as materialized (select set_config('hearback.workspace', ${id}, true)::uuid as id),
    created as (insert into workspace (id, name) select id, ${name} from scope returning *),
    counted as (
      insert into workspace_usage (workspace_id, calls, bytes, day, day_calls, counted_at, imports_counted_at)
      select id, 0, 0, date_trunc('day', now(), 'UTC'), 0, now(), now() from created
    )
    select * from created`.execute(db);
  const [workspace] = rows;
  if (!workspace) throw new Error("the workspace was not created");
  return workspace;
}
