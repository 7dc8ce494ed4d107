import { PgBoss } from "pg-boss";
import packageOfPgBoss from "pg-boss/package.json" with { type: "json" };
import { timeoutOptions } from "../database/database.ts";
import { failoverOptions } from "../database/writable.ts";
import type { Job } from "./queue.ts";
import { indexQueueTables, partitionQueue } from "./queue-tables.ts";

/** Opens the queue for a worker. `migrateQueue` has already done everything that needs the tables' owner. */
export function openQueue(url: string): PgBoss {
  const boss = new PgBoss({
    connectionString: url,
    application_name: "hearback queue",
    ...failoverOptions,
    ...timeoutOptions,
    migrate: false,
    createSchema: false,
    // supervision.ts replaces it.
    supervise: false,
    max: 4,
  });
  acceptNewerTables(boss);
  return boss;
}

/**
 * pg-boss does not start if its tables are newer than its code. During an upgrade they are: a worker of the previous release
 * must be able to restart. New tables of pg-boss are compatible with older code.
 */
function acceptNewerTables(boss: PgBoss): void {
  const db = boss.getDb();
  const run = db.executeSql.bind(db);
  db.executeSql = async (text, values) => {
    const result = await run(text, values);
    if (!/^select version from pgboss[.]version$/i.test(text)) return result;
    return {
      ...result,
      rows: result.rows.map((row) => ({ ...row, version: Math.min(row.version, packageOfPgBoss.pgboss.schema) })),
    };
  };
}

/** Migrates the tables of pg-boss and creates the queue of every job. Run by the tables' owner. */
export async function migrateQueue(ownerUrl: string, jobs: readonly Job<unknown>[]): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false, max: 1 });
  await boss.start();
  try {
    // Create all queues first, because a queue may be the dead-letter queue of another.
    for (const { name, busy } of jobs) await boss.createQueue(name, busy ? { partition: true } : {});
    for (const { name, busy } of jobs) if (busy) await partitionQueue(boss, name);
    for (const { name, options } of jobs) {
      await boss.updateQueue(name, options);
      // Jobs that already wait were created before their queue had a dead-letter queue.
      const waiting =
        "update pgboss.job set dead_letter = $2 where name = $1 and state < 'completed' and dead_letter is null";
      if (options.deadLetter) await boss.getDb().executeSql(waiting, [name, options.deadLetter]);
    }
    await indexQueueTables(boss);
    for (const statement of queueGrants) await boss.getDb().executeSql(statement);
  } finally {
    await boss.stop();
  }
}

const queueGrants = [
  "grant usage on schema pgboss to hearback_service",
  "grant select, insert, update, delete on all tables in schema pgboss to hearback_service",
  "grant usage, select on all sequences in schema pgboss to hearback_service",
  "grant execute on all functions in schema pgboss to hearback_service",
];
