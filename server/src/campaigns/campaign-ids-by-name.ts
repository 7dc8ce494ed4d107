import type { Db } from "../platform/database/database.ts";
import { preparedStatement } from "../platform/database/prepared-statement.ts";

interface Scope {
  /** Campaigns visible to the caller; null: all. */
  readonly within: readonly string[] | null;
}

/** Ids of active campaigns with this name, or with this id in other letter case: suggestions for an id that does not exist. */
export async function campaignIdsByName(
  tx: Db,
  workspaceId: string,
  name: string,
  { within }: Scope,
): Promise<string[]> {
  // PostgreSQL cannot compare with these.
  if (name.includes("\0") || !name.isWellFormed()) return [];
  const rows = await preparedStatement<{ id: string }>(tx, "find-campaigns-by-name")`
    select id from campaign
    where workspace_id = ${workspaceId}::uuid and archived_at is null
      and (lower(name) = lower(${name.trim()}) or lower(id) = lower(${name.trim()}))
      and (${within}::text[] is null or id = any (${within}::text[]))
    order by id limit 3`;
  return rows.map(({ id }) => id);
}
