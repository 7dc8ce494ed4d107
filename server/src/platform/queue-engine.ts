import { sql } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";
import type { App } from "./app.ts";
import { prepared } from "./database/prepared.ts";
import type { Job } from "./queue.ts";
import { giveTurns } from "./queue-turns.ts";

interface OutgoingRow {
  readonly id: number;
  readonly name: string;
  readonly payload: { readonly workspaceId?: string };
  readonly startAfter: Date | null;
}

/** Moves written jobs into the queue, many at a time, in one transaction. Gives the names of those it moved. */
export async function relayJobs(app: App, boss: PgBoss): Promise<string[]> {
  // Asked four times a second, mostly in vain: one statement instead of a transaction.
  const [waiting] = await prepared(app.db, "any-outgoing-job")`select from outgoing_job limit 1`;
  if (!waiting) return [];
  return app.db.transaction().execute(async (tx) => {
    const { rows } = await sql<OutgoingRow>`
      delete from outgoing_job where id in (
        select id from outgoing_job order by id limit 500 for update skip locked
      ) returning id, name, payload, start_after`.execute(tx);
    const byName = Map.groupBy(
      rows.toSorted((a, b) => a.id - b.id),
      (row) => row.name,
    );
    for (const [name, jobs] of byName) {
      const turns = await giveTurns(
        tx,
        name,
        jobs.map(({ payload }) => payload.workspaceId),
      );
      const queued = jobs.map(({ payload, startAfter }, index) => ({
        data: payload,
        priority: -(turns[index] ?? 0),
        ...(startAfter && { startAfter }),
      }));
      await boss.insert(name, queued, { db: fromKysely(tx) });
    }
    return [...byName.keys()];
  });
}

/** The queue as a worker uses it: everything that needs the tables' owner was done by `migrateQueue`. */
export const openQueue = (url: string) =>
  new PgBoss({
    connectionString: url,
    application_name: "hearback queue",
    migrate: false,
    createSchema: false,
    // A job whose worker died is with another one within 30 s: 10 s until its heartbeat is missed, at most 5 until
    // somebody looks, 1 until it is tried again.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    max: 4,
  });

/** Brings the queue's own tables up to date and declares every job's queue. Run by the tables' owner. */
export async function migrateQueue(ownerUrl: string, jobs: readonly Job<unknown>[]): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false, max: 1 });
  await boss.start();
  try {
    // A queue that another one hands its jobs to must be there first.
    for (const { name } of jobs) await boss.createQueue(name);
    for (const { name, options } of jobs) {
      await boss.updateQueue(name, options);
      // What waits already was written when its queue had none.
      const waiting =
        "update pgboss.job set dead_letter = $2 where name = $1 and state < 'completed' and dead_letter is null";
      if (options.deadLetter) await boss.getDb().executeSql(waiting, [name, options.deadLetter]);
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
