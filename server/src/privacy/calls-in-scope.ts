import { type RawBuilder, sql } from "kysely";
import { metadataIndexValue } from "../calls/call/metadata-index-value.ts";
import type { Db } from "../platform/database/database.ts";
import { type IdRange, partitionRanges } from "../platform/database/partition-ranges.ts";
import type { Erasure } from "./erasure.ts";
import { isHeld } from "./holds/legal-holds-sql.ts";

/** Selects the calls of an erasure. */
export type ErasureScope = Pick<
  Erasure,
  "workspaceId" | "kind" | "callId" | "agentId" | "campaignId" | "before" | "metadataKey" | "metadataValue"
>;

const entryOf = ({ metadataKey, metadataValue }: ErasureScope) =>
  JSON.stringify([{ key: metadataKey, value: metadataValue }]);

/** Condition on `call_change`: the call had the metadata entry before or after the change. */
const hadEntry = (scope: ErasureScope): RawBuilder<boolean> => sql`
  (changed #> '{metadata,from}' @> ${entryOf(scope)}::jsonb or changed #> '{metadata,to}' @> ${entryOf(scope)}::jsonb)`;

/**
 * Ids of calls with a metadata entry, in order: by the primary key of the search index table, plus calls that had the entry
 * only in their change history.
 */
const withEntry = (scope: ErasureScope, within: RawBuilder<unknown>, limit: RawBuilder<unknown>) => {
  const { workspaceId, metadataKey, metadataValue } = scope;
  return sql`(
      select call_id as id from call_metadata
      where workspace_id = ${workspaceId} and key = ${metadataKey} and value = ${metadataIndexValue(metadataValue ?? "")} and ${within}
      order by call_id ${limit}
    ) union (
      select call_id from call_change where workspace_id = ${workspaceId} and ${within} and ${hadEntry(scope)}
      order by call_id ${limit}
    ) order by id ${limit}`;
};

/** The lowest id of a call at or after this time. Ids contain no times before 1970: the function would return one after all calls. */
const firstIdAt = (time: RawBuilder<unknown>) => sql`first_call_id(greatest(${time}, to_timestamp(0)))`;

/** Condition on `call`. Compares the full metadata value, because the indexed one may be truncated. */
function isInScope(scope: ErasureScope): RawBuilder<boolean> {
  switch (scope.kind) {
    case "call":
      return sql`call.id = ${scope.callId}`;
    case "agent":
      return sql`call.agent_id = ${scope.agentId}`;
    case "retention":
      // Checks the campaign's current retention, which may have changed since an interrupted run started.
      return sql`call.campaign_id = ${scope.campaignId} and call.id < ${firstIdAt(sql`${scope.before}::timestamptz`)}
        and call.id < (select ${firstIdAt(sql`now() - make_interval(days => retention_days)`)} from campaign
          where workspace_id = ${scope.workspaceId} and id = ${scope.campaignId})`;
    case "metadata":
      return sql`(call.metadata @> ${entryOf(scope)}::jsonb or exists (
        select from call_change where workspace_id = call.workspace_id and call_id = call.id and ${hadEntry(scope)}))`;
    default:
      return sql`true`;
  }
}

/** Partitions scanned, and therefore locked, by one statement. */
const partitionsPerQuery = 12;

/** Returns the next candidate ids after `after`, in order, up to `limit`. An empty list means the end. */
export async function nextIds(tx: Db, scope: ErasureScope, after: string, limit: number): Promise<string[]> {
  for (const range of await partitionRanges(tx, "call", partitionsPerQuery)) {
    if (range.to <= after) continue;
    const { rows } = await sql<{ id: string }>`${idsWithin(scope, after, range, sql`limit ${limit}`)}`.execute(tx);
    if (rows.length > 0) return rows.map(({ id }) => id);
  }
  return [];
}

function idsWithin(scope: ErasureScope, after: string, { from, to }: IdRange, limit: RawBuilder<unknown>) {
  const within = (id: RawBuilder<unknown>) =>
    sql`${id} > ${after}::uuid and ${id} >= ${from}::uuid and ${id} < ${to}::uuid`;
  if (scope.kind === "metadata") return withEntry(scope, within(sql`call_id`), limit);
  return sql`
    select call.id from call
    where call.workspace_id = ${scope.workspaceId} and ${within(sql`call.id`)} and ${isInScope(scope)}
    order by call.id ${limit}`;
}

/** Subquery `call` with those of the ids that exist and are in scope. */
export const callsInScope = (scope: ErasureScope, ids: readonly string[]): RawBuilder<unknown> => sql`(
  select call.* from call
  where call.workspace_id = ${scope.workspaceId} and call.id = any (${ids}::uuid[]) and ${isInScope(scope)}) as call`;

/** Row versions (xmin) by call id. */
export type Versions = ReadonlyMap<string, string>;

/**
 * Reads the row version of each call. Events are ordered by transaction id, so if a transaction with a higher id than ours
 * changes a call, an even later transaction must erase it. Call this before the first write or lock, which is when PostgreSQL
 * assigns the transaction id.
 */
export async function readVersions(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Versions> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; version: string }>`
    select id, xmin::text as version from call
    where workspace_id = ${workspaceId} and id in (${sql.join(ids)})`.execute(tx);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export interface Locked {
  /** Not under legal hold, and locked until the transaction ends. */
  readonly erasable: string[];
  /** Changed since their versions were read. Left to a later transaction. */
  readonly changed: string[];
  readonly held: string[];
}

/** Locks those of the calls that exist and are in scope. */
export async function lockCalls(
  tx: Db,
  scope: ErasureScope | "any",
  workspaceId: string,
  versions: Versions,
): Promise<Locked> {
  if (versions.size === 0) return { erasable: [], changed: [], held: [] };
  const { rows } = await sql<{ id: string; version: string; held: boolean }>`
    select call.id, call.xmin::text as version, ${isHeld} as held from call
    where call.workspace_id = ${workspaceId} and call.id in (${sql.join([...versions.keys()])})
      and ${scope === "any" ? sql`true` : isInScope(scope)}
    order by call.id for update of call`.execute(tx);
  const idsOf = (which: (row: (typeof rows)[number]) => boolean) => rows.filter(which).map(({ id }) => id);
  const isChanged = ({ id, version }: (typeof rows)[number]) => versions.get(id) !== version;
  return {
    held: idsOf(({ held }) => held),
    changed: idsOf((row) => !row.held && isChanged(row)),
    erasable: idsOf((row) => !row.held && !isChanged(row)),
  };
}
