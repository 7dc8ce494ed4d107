import { sql } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import type { App } from "./app.ts";
import type { Job } from "./queue.ts";

/** Moves written jobs into the queue, many at a time, in one transaction. Gives how many it moved. */
export async function relayJobs(app: App, boss: PgBoss): Promise<number> {
  return app.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string; payload: object }>`
      delete from outgoing_job where id in (
        select id from outgoing_job order by id limit 500 for update skip locked
      ) returning name, payload`.execute(tx);
    const byName = Map.groupBy(rows, (row) => row.name);
    for (const [name, jobs] of byName) {
      await boss.insert(
        name,
        jobs.map(({ payload }) => ({ data: payload })),
        { db: fromKysely(tx) },
      );
    }
    return rows.length;
  });
}

/** The queue as a worker uses it: everything that needs the tables' owner was done by `migrateQueue`. */
export const openQueue = (url: string) =>
  new PgBoss({
    connectionString: url,
    application_name: "hearback queue",
    migrate: false,
    createSchema: false,
    max: 4,
  });

/** Brings the queue's own tables up to date and declares every job's queue. Run by the tables' owner. */
export async function migrateQueue(ownerUrl: string, jobs: readonly Job<unknown>[]): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false, max: 1 });
  await boss.start();
  try {
    for (const { name, options } of jobs) {
      await boss.createQueue(name, options);
      await boss.updateQueue(name, options);
    }
    for (const statement of serviceMayUseTheQueue) await boss.getDb().executeSql(statement);
  } finally {
    await boss.stop();
  }
}

const serviceMayUseTheQueue = [
  "grant usage on schema pgboss to hearback_service",
  "grant select, insert, update, delete on all tables in schema pgboss to hearback_service",
  "grant usage, select on all sequences in schema pgboss to hearback_service",
  "grant execute on all functions in schema pgboss to hearback_service",
];
