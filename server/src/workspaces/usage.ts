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

/** With when all calls were counted last. */
export interface CountedUsage extends Usage {
  readonly countedAt: Date | null;
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

/**
 * Corrects the stored usage by a difference that was counted since `countedAt`. Of two concurrent counts, one applies its
 * difference.
 */
export async function correctUsage(
  tx: Db,
  workspaceId: string,
  { calls, bytes, day, dayCalls, countedAt }: CountedUsage,
): Promise<void> {
  await sql`
    insert into workspace_usage as usage (workspace_id, calls, bytes, day, day_calls, counted_at)
    values (${workspaceId}, ${calls}, ${bytes}, ${day}, ${dayCalls}, now())
    on conflict (workspace_id) do update set
      calls = usage.calls + excluded.calls,
      bytes = usage.bytes + excluded.bytes,
      day_calls = case when usage.day = excluded.day then usage.day_calls + excluded.day_calls
        when usage.day < excluded.day then excluded.day_calls else usage.day_calls end,
      day = greatest(usage.day, excluded.day),
      counted_at = excluded.counted_at
    where date_trunc('milliseconds', usage.counted_at) is not distinct from ${countedAt}`.execute(tx);
}

/** An original recording was erased; its call stays. */
export async function subtractBytes(tx: Db, workspaceId: string, bytes: number): Promise<void> {
  await tx
    .updateTable("workspaceUsage")
    .set({ bytes: sql`bytes - ${bytes}` })
    .where("workspaceId", "=", workspaceId)
    .execute();
}

/** The counters of imports contain all calls from now on. */
export async function noteImportsCounted(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    insert into workspace_usage as usage (workspace_id, calls, bytes, day, day_calls, imports_counted_at)
    values (${workspaceId}, 0, 0, date_trunc('day', now(), 'UTC'), 0, now())
    on conflict (workspace_id) do update set imports_counted_at = now()`.execute(tx);
}
