import { sql } from "kysely";
import { fromKysely, type PgBoss } from "pg-boss";
import type { App } from "../app.ts";
import type { Db } from "../database/database.ts";

/*
 * Replaces the supervision of pg-boss, which aggregates the whole job table on every pass and deletes all finished jobs
 * in one statement. Every query here is an index scan (queue-tables.ts) over a bounded number of rows, so its cost does
 * not depend on the number of finished jobs.
 */

/** Retention of finished jobs. Must exceed one minute, in which the scheduler detects duplicates of its jobs. */
const finishedKeptSeconds = 300;
const failedKeptSeconds = 24 * 3600;
const batchSize = 1_000;
const failBatchSize = 200;
/** Maximum duration of one cleanup pass. */
const maxPassMs = 4_000;

/**
 * Makes the planner use plain index scans in this transaction. Statistics of a queue are always outdated. A sequential scan
 * reads all finished jobs; a bitmap scan, unlike an index scan, does not mark the index entries of dead tuples, so that every
 * pass visits them again until the next vacuum.
 */
export async function forceIndexScans(tx: Db): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(tx);
}

interface LostJob {
  readonly id: string;
  readonly name: string;
}

/** Fails jobs without a heartbeat or past their time limit, so that they are retried. */
export async function failLostJobs(app: App, boss: PgBoss): Promise<number> {
  return app.db.transaction().execute(async (tx) => {
    await forceIndexScans(tx);
    const { rows } = await sql<LostJob>`
      select id, name from pgboss.job
      where state = 'active' and (
        heartbeat_on + heartbeat_seconds * interval '1 second' < now()
        or started_on + expire_seconds * interval '1 second' < now()
      ) limit ${failBatchSize} for update skip locked`.execute(tx);
    for (const [name, jobs] of Map.groupBy(rows, (row) => row.name)) {
      const ids = jobs.map(({ id }) => id);
      await boss.fail(name, ids, { message: "heartbeat missed or time exceeded" }, { db: fromKysely(tx) });
    }
    return rows.length;
  });
}

/** Deletes finished jobs in short transactions, because a long one would delay the delivery of events. */
export async function deleteFinishedJobs(db: Db, { keptSeconds = finishedKeptSeconds } = {}): Promise<number> {
  const until = performance.now() + maxPassMs;
  const { rows: tables } = await sql<{ name: string }>`
    select distinct table_name as name from pgboss.queue order by 1`.execute(db);
  let deleted = 0;
  for (const { name } of tables) {
    for (const [state, seconds] of [
      ["completed", keptSeconds],
      ["cancelled", keptSeconds],
      ["failed", failedKeptSeconds],
    ] as const) {
      let deletedRows = batchSize;
      while (deletedRows >= batchSize && performance.now() < until) {
        deletedRows = await deleteBatch(db, name, state, seconds);
        deleted += deletedRows;
      }
    }
  }
  return deleted;
}

async function deleteBatch(db: Db, name: string, state: string, seconds: number): Promise<number> {
  const table = sql.id("pgboss", name);
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table}
      where state = ${sql.lit(state)} and completed_on < now() - make_interval(secs => ${seconds})
      order by completed_on limit ${batchSize} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows);
}
