import { sql } from "kysely";
import { z } from "zod";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inSnapshot, inWorkspace } from "../platform/database/in-workspace.ts";
import { idPages, within } from "../platform/database/partition-ranges.ts";
import { defineJob } from "../platform/queue/queue.ts";
import { workspaceIds } from "../workspaces/list-workspaces.ts";
import { type CountedUsage, correctUsage, dayOf } from "../workspaces/usage.ts";

/** Calls counted per statement, in about 50 ms. */
const batchSize = 20_000;
/** Larger workspaces are recounted once a day instead of every hour. */
const largeWorkspaceCalls = 1_000_000;
const hourMs = 3600 * 1000;

/**
 * Counts the calls of a workspace in a snapshot, page by page, and corrects the stored usage by the difference. Concurrent
 * imports and erasures stay counted and are not blocked.
 */
export async function recountUsage(app: App, workspaceId: string, signal?: AbortSignal): Promise<void> {
  const day = dayOf(Date.now());
  const { found, stored } = await inSnapshot(app, workspaceId, async (tx) => {
    const stored = await findStoredUsage(tx, workspaceId);
    const found = { ...(await countCalls(tx, workspaceId, signal)), dayCalls: await countDay(tx, workspaceId, day) };
    return { found, stored };
  });
  const difference = {
    calls: found.calls - (stored?.calls ?? 0),
    bytes: found.bytes - (stored?.bytes ?? 0),
    dayCalls: found.dayCalls - (stored?.day.getTime() === day.getTime() ? stored.dayCalls : 0),
  };
  const countedAt = stored?.countedAt ?? null;
  await inWorkspace(app, workspaceId, (tx) => correctUsage(tx, workspaceId, { ...difference, day, countedAt }));
}

async function findStoredUsage(tx: Db, workspaceId: string): Promise<CountedUsage | undefined> {
  return tx
    .selectFrom("workspaceUsage")
    .select(["calls", "bytes", "day", "dayCalls", "countedAt"])
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
}

async function countCalls(tx: Db, workspaceId: string, signal?: AbortSignal) {
  const total = { calls: 0, bytes: 0 };
  for await (const page of idPages(tx, { table: "call", workspaceId, rows: batchSize, partitions: 1 })) {
    signal?.throwIfAborted();
    const { rows } = await sql<{ calls: number; bytes: number }>`
      select count(*) as calls,
        coalesce(sum(recording_bytes) filter (where original_erased_at is null), 0)::bigint as bytes
      from call where workspace_id = ${workspaceId} and ${within(page)}`.execute(tx);
    total.calls += rows[0]?.calls ?? 0;
    total.bytes += rows[0]?.bytes ?? 0;
  }
  return total;
}

/** Calls imported on that day, using the index on imported_on. */
async function countDay(tx: Db, workspaceId: string, day: Date): Promise<number> {
  const where = sql`imported_on = ${day.toISOString().slice(0, 10)}::date`;
  let count = 0;
  for await (const page of idPages(tx, { table: "call", workspaceId, where, rows: batchSize, partitions: 12 })) {
    const { rows } = await sql<{ calls: number }>`
      select count(*) as calls from call where workspace_id = ${workspaceId} and ${where} and ${within(page)}`.execute(
      tx,
    );
    count += rows[0]?.calls ?? 0;
  }
  return count;
}

/** Corrects drift, such as imports that a killed process had not counted. Runs hourly and when a worker starts. */
export const recountAll = defineJob({
  name: "usage.recount",
  schedule: "17 * * * *",
  payload: z.object({}).nullish(),
  run: (app, _, signal) => recountWorkspaces(app, signal),
});

export async function recountWorkspaces(app: App, signal?: AbortSignal): Promise<void> {
  for await (const id of workspaceIds(app.db, "live")) {
    signal?.throwIfAborted();
    try {
      if (await isDue(app, id)) await recountUsage(app, id, signal);
    } catch (err) {
      signal?.throwIfAborted();
      app.log.error({ err, workspaceId: id }, "could not recount the usage of a workspace; continuing with the others");
    }
  }
}

async function isDue(app: App, workspaceId: string): Promise<boolean> {
  const stored = await inWorkspace(app, workspaceId, (tx) => findStoredUsage(tx, workspaceId));
  if (!stored?.countedAt || stored.calls < largeWorkspaceCalls) return true;
  return Date.now() - stored.countedAt.getTime() > 23 * hourMs;
}
