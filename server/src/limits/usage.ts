import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

const dayMs = 24 * 3600 * 1000;

/** The stored usage of a workspace. */
export interface Usage {
  readonly calls: number;
  readonly bytes: number;
  /** The UTC day of `dayCalls`. */
  readonly day: Date;
  readonly dayCalls: number;
}

/** Imports that are not stored yet. */
export interface Imported {
  readonly calls: number;
  readonly bytes: number;
}

/** Midnight UTC. */
export const dayOf = (nowMs: number) => new Date(nowMs - (nowMs % dayMs));
export const secondsToTomorrow = (nowMs: number) => Math.ceil((dayMs - (nowMs % dayMs)) / 1000);

export async function findUsage(tx: Db, workspaceId: string): Promise<Usage | undefined> {
  return tx
    .selectFrom("workspaceUsage")
    .select(["calls", "bytes", "day", "dayCalls"])
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
}

/** Adds imports to the stored usage and returns it. Does nothing for an erased workspace. */
export async function addUsage(
  tx: Db,
  workspaceId: string,
  { calls, bytes }: Imported,
  day: Date,
): Promise<Usage | undefined> {
  const { rows } = await sql<Usage>`
    insert into workspace_usage as usage (workspace_id, calls, bytes, day, day_calls)
    select id, ${calls}, ${bytes}, ${day}, ${calls} from workspace where id = ${workspaceId} and erased_at is null
    on conflict (workspace_id) do update set
      calls = usage.calls + excluded.calls,
      bytes = usage.bytes + excluded.bytes,
      day_calls = case when usage.day = excluded.day then usage.day_calls else 0 end + excluded.day_calls,
      day = excluded.day
    returning calls, bytes, day, day_calls`.execute(tx);
  return rows[0];
}
