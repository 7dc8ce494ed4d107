import { type RawBuilder, sql } from "kysely";
import { searchValue } from "../calls/search-value.ts";
import type { Db } from "../platform/database/database.ts";
import type { Erasure } from "./erasure.ts";
import { isHeld } from "./held.ts";

/** Which calls an erasure is about. */
export type Concern = Pick<
  Erasure,
  "workspaceId" | "kind" | "callId" | "agentId" | "campaignId" | "before" | "metadataKey" | "metadataValue"
>;

const entryOf = ({ metadataKey, metadataValue }: Concern) =>
  JSON.stringify([{ key: metadataKey, value: metadataValue }]);

/** Of a row of `call_change`: whether the call had the entry before it was corrected, or after. */
const hadEntry = (concern: Concern): RawBuilder<boolean> => sql`
  (changed #> '{metadata,from}' @> ${entryOf(concern)}::jsonb or changed #> '{metadata,to}' @> ${entryOf(concern)}::jsonb)`;

/**
 * The ids of calls with a metadata entry, in order, by the primary key of the table made for searching; and of the few that
 * have it only among what was corrected.
 */
const withEntry = (concern: Concern, after: string, limit: RawBuilder<unknown>) => {
  const { workspaceId, metadataKey, metadataValue } = concern;
  return sql`(
      select call_id from call_metadata
      where workspace_id = ${workspaceId} and key = ${metadataKey} and value = ${searchValue(metadataValue ?? "")}
        and call_id > ${after}::uuid
      order by call_id ${limit}
    ) union (
      select call_id from call_change
      where workspace_id = ${workspaceId} and call_id > ${after}::uuid and ${hadEntry(concern)}
      order by call_id ${limit}
    ) order by call_id ${limit}`;
};

/** Of a row of `call`. A metadata value is compared itself: the one it is searched by may be its beginning. */
function isConcerned(concern: Concern): RawBuilder<boolean> {
  switch (concern.kind) {
    case "call":
      return sql`call.id = ${concern.callId}`;
    case "agent":
      return sql`call.agent_id = ${concern.agentId}`;
    case "retention":
      // As the campaign says now, whatever it said when a run that was stopped began.
      return sql`call.campaign_id = ${concern.campaignId} and call.id < first_call_id(${concern.before}::timestamptz)
        and call.id < (select first_call_id(now() - make_interval(days => retention_days)) from campaign
          where workspace_id = ${concern.workspaceId} and id = ${concern.campaignId})`;
    case "metadata":
      return sql`(call.metadata @> ${entryOf(concern)}::jsonb or exists (
        select from call_change where workspace_id = call.workspace_id and call_id = call.id and ${hadEntry(concern)}))`;
    default:
      return sql`true`;
  }
}

/** The calls of an erasure behind one of them, as a table `call`, in order. What it looked at is at most `limit`. */
export function concernedCalls(concern: Concern, after: string, limit?: number): RawBuilder<unknown> {
  const most = limit === undefined ? sql`` : sql`limit ${limit}`;
  const rest = sql`call.workspace_id = ${concern.workspaceId} and call.id > ${after}::uuid and ${isConcerned(concern)}`;
  if (concern.kind !== "metadata") return sql`(select call.* from call where ${rest} order by call.id ${most}) as call`;
  // First the few that can be it, whatever the planner thinks of them.
  return sql`(
    with hit as materialized (${withEntry(concern, after, most)})
    select call.* from hit join call on call.workspace_id = ${concern.workspaceId} and call.id = hit.call_id
    where ${rest}) as call`;
}

/** How far the next batch reaches: so many calls behind `after` that may be concerned, and the last of them. */
export async function nextIds(tx: Db, concern: Concern, after: string, limit: number): Promise<string[]> {
  if (concern.kind === "metadata") {
    const { rows } = await sql<{ callId: string }>`${withEntry(concern, after, sql`limit ${limit}`)}`.execute(tx);
    return rows.map(({ callId }) => callId);
  }
  const { rows } = await sql<{ id: string }>`
    select call.id from call
    where call.workspace_id = ${concern.workspaceId} and call.id > ${after}::uuid and ${isConcerned(concern)}
    order by call.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The versions of calls, as they stand before the transaction has a number. */
export type Versions = ReadonlyMap<string, string>;

/**
 * Reads which version of each call is there. Events stand in the order of their transactions' numbers: a call that is
 * changed by a transaction with a later number than ours must be erased by one with a later number still. To be asked
 * before anything is written or locked: only then does a transaction get its number.
 */
export async function readVersions(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Versions> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; version: string }>`
    select id, xmin::text as version from call
    where workspace_id = ${workspaceId} and id in (${sql.join(ids)})`.execute(tx);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export interface Locked {
  /** Not held, and nobody else changes them until the transaction ends. */
  readonly erasable: string[];
  /** Changed since their versions were read: for another transaction. */
  readonly changed: string[];
  readonly held: string[];
}

/** Locks those of the calls that are there and concerned. */
export async function lockCalls(
  tx: Db,
  concern: Concern | "any",
  workspaceId: string,
  versions: Versions,
): Promise<Locked> {
  if (versions.size === 0) return { erasable: [], changed: [], held: [] };
  const { rows } = await sql<{ id: string; version: string; held: boolean }>`
    select call.id, call.xmin::text as version, ${isHeld} as held from call
    where call.workspace_id = ${workspaceId} and call.id in (${sql.join([...versions.keys()])})
      and ${concern === "any" ? sql`true` : isConcerned(concern)}
    order by call.id for update of call`.execute(tx);
  const idsOf = (which: (row: (typeof rows)[number]) => boolean) => rows.filter(which).map(({ id }) => id);
  const isChanged = ({ id, version }: (typeof rows)[number]) => versions.get(id) !== version;
  return {
    held: idsOf(({ held }) => held),
    changed: idsOf((row) => !row.held && isChanged(row)),
    erasable: idsOf((row) => !row.held && !isChanged(row)),
  };
}

/** Begins the transaction again: something was changed while it began. */
export class ChangedMeanwhile extends Error {
  override name = "ChangedMeanwhile";
  /** As PostgreSQL says it: the next try may succeed. */
  readonly code = "40001";
}
