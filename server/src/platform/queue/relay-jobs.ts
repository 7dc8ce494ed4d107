import { sql } from "kysely";
import { fromKysely, type PgBoss } from "pg-boss";
import type { App } from "../app.ts";
import type { Db } from "../database/database.ts";
import { databaseUnavailable } from "../database/errors.ts";
import { preparedStatement } from "../database/prepared-statement.ts";
import { errorCode } from "../error-code.ts";
import { fairOrder } from "./fair-order.ts";
import { openRelayPosition, type RelayPosition } from "./relay-position.ts";
import { type OutgoingRow, setAside } from "./set-aside.ts";

const batchSize = 500;

interface Snapshot {
  /** All transactions with a lower id have ended. */
  readonly xmin: number;
  readonly waiting: boolean;
}

/**
 * Moves a batch of jobs from the outbox into the queue, in one transaction. Returns the names of the queues. A
 * long-running relay passes its own position, so that it does not scan rows it has already relayed.
 */
export async function relayJobs(app: App, boss: PgBoss, position: RelayPosition = openRelayPosition()) {
  const from = position.start(performance.now());
  // Runs four times a second and usually finds nothing, so it is one statement without a transaction. "order by" forces
  // an index scan; "exists" would be planned as a sequential scan that reads every dead tuple.
  const [found] = await preparedStatement<Snapshot>(app.db, "any-outgoing-job")`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
      (select id from outgoing_job where id > ${from} order by id limit 1) is not null as waiting`;
  if (!found?.waiting) {
    position.scanned(found?.xmin ?? 0);
    return [];
  }
  const { moved, last, xmax } = await app.db.transaction().execute((tx) => moveBatch(app, boss, tx, from));
  position.relayed({ xmin: found.xmin, xmax, first: last?.first, last: last?.last });
  return moved;
}

async function moveBatch(app: App, boss: PgBoss, tx: Db, from: number) {
  const { rows } = await sql<OutgoingRow & { xmax: number }>`
    delete from outgoing_job where id in (
      select id from outgoing_job where id > ${from} order by id limit ${batchSize} for update skip locked
    ) returning id, name, payload, start_after, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax`.execute(
    tx,
  );
  const jobs = rows.toSorted((a, b) => a.id - b.id);
  const byName = Map.groupBy(jobs, (row) => row.name);
  const known = await knownQueues(tx, [...byName.keys()]);
  const moved: string[] = [];
  for (const [name, batch] of byName) {
    if (!known.has(name)) await setAside(app, tx, batch, "queue_unknown", "");
    else if ((await moveOrSplit(app, boss, tx, name, batch)) > 0) moved.push(name);
  }
  const ids = jobs.length > 0 ? { first: jobs[0]?.id ?? 0, last: jobs.at(-1)?.id ?? 0 } : undefined;
  return { moved, last: ids, xmax: rows[0]?.xmax ?? 0 };
}

async function knownQueues(tx: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const { rows } = await sql<{ name: string }>`
    select name from pgboss.queue where name = any(${names}::text[])`.execute(tx);
  return new Set(rows.map(({ name }) => name));
}

/** Inserts jobs of one queue. If that fails, bisects the batch to find the invalid job and sets it aside. */
async function moveOrSplit(
  app: App,
  boss: PgBoss,
  tx: Db,
  name: string,
  jobs: readonly OutgoingRow[],
): Promise<number> {
  await sql`savepoint relay`.execute(tx);
  try {
    await insertJobs(boss, tx, name, jobs);
    await sql`release savepoint relay`.execute(tx);
    return jobs.length;
  } catch (error) {
    // A transient database error: retry the whole batch.
    if (databaseUnavailable(error)) throw error;
    await sql`rollback to savepoint relay`.execute(tx);
    if (jobs.length === 1) {
      await setAside(app, tx, jobs, "refused", errorName(error));
      return 0;
    }
    const middle = Math.ceil(jobs.length / 2);
    const before = await moveOrSplit(app, boss, tx, name, jobs.slice(0, middle));
    return before + (await moveOrSplit(app, boss, tx, name, jobs.slice(middle)));
  }
}

async function insertJobs(boss: PgBoss, tx: Db, name: string, jobs: readonly OutgoingRow[]): Promise<void> {
  const workspaces = jobs.map(({ payload }) => payload.workspaceId);
  const turns = await fairOrder(tx, name, workspaces);
  const queued = jobs.map(({ payload, startAfter }, index) => ({
    data: payload,
    priority: -(turns[index] ?? 0),
    ...(startAfter && { startAfter }),
  }));
  await boss.insert(name, queued, { db: fromKysely(tx) });
}

/** SQLSTATE or error name. Never the message, which can contain parts of the payload. */
function errorName(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.name : "Error");
}
