import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createConcurrentIndex, parseConcurrentIndex } from "./concurrent-index.ts";
import { listMigrations, migrationFolder } from "./pending-migrations.ts";
import { type LockSession, MigrationBlocked, withShortLocks } from "./short-locks.ts";
import { splitStatements } from "./split-statements.ts";

/**
 * First line of a migration that runs without a transaction. Each of its statements commits on its own and must be
 * idempotent.
 */
const noTransaction = /^-- migrate: no transaction\s*\n/;
const lockPollMs = 500;

export interface MigrateOptions {
  readonly folder?: string;
  /** How long to retry locks and to wait for another running migrate. */
  readonly maxWaitMs?: number;
  /** Receives messages about what the migration is waiting for. */
  readonly say?: (text: string) => void;
}

/** Applies pending migrations. Safe to run in several processes at once. */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder = migrationFolder, maxWaitMs = 600_000, say = () => {} } = options;
  const client = await connect(ownerUrl, "hearback migrate");
  const observer = await connect(ownerUrl, "hearback migrate observer");
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const session = { client, observer, pid: rows[0]?.pid ?? 0, maxWaitMs, say };
    await requireOwnSession(session);
    await acquireMigrationLock(session);
    const pending = await listPending(client, folder);
    for (const name of pending) {
      const text = await readFile(join(folder, name), "utf8");
      await (noTransaction.test(text) ? runStatements(session, name, text) : runTransaction(session, name, text));
    }
    await withShortLocks(session, "the role of the search", () => giveSearchItsRole(client));
    // The service reports missing migrations.
    await client.query("grant select on migration to hearback_service");
    return pending;
  } finally {
    await client.end();
    await observer.end();
  }
}

/** Does nothing, unless an administrator has created hearback_search since the last run (migration 0035). */
async function giveSearchItsRole(client: pg.Client): Promise<void> {
  await client.query(`do $$ begin
    if to_regprocedure('give_search_its_role()') is not null then perform give_search_its_role(); end if;
  end $$`);
}

async function connect(connectionString: string, application: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: application });
  // A lost connection fails the running statement. Without this listener, the error would terminate the process.
  client.on("error", () => {});
  await client.connect();
  await client.query("set statement_timeout = 0");
  return client;
}

/**
 * The lock and the timeouts belong to a session. Behind a pooler in transaction mode, the observer's transaction takes the
 * server connection that the client used last, and the client gets another one.
 */
async function requireOwnSession({ client, observer, pid }: LockSession): Promise<void> {
  await observer.query("begin");
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  await observer.query("commit");
  if (rows[0]?.pid !== pid)
    throw new MigrationBlocked(
      "DATABASE_OWNER_URL leads through a connection pooler in transaction mode. Connect to PostgreSQL without it.",
    );
}

/**
 * Allows one migrating process at a time. Polls pg_try_advisory_lock, because a session waiting inside pg_advisory_lock
 * holds a snapshot, and a concurrent index build waits for older snapshots: the two would deadlock.
 */
async function acquireMigrationLock({ client, maxWaitMs, say }: LockSession): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  for (let reported = false; ; reported = true) {
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock(hashtext('hearback.migrate')) as taken",
    );
    if (rows[0]?.taken) return;
    if (performance.now() >= deadline)
      throw new MigrationBlocked("Another migrate is running. Try again when it has finished.");
    if (!reported) say("Another migrate is running. Waiting for it to finish.");
    await sleep(lockPollMs);
  }
}

async function listPending(client: pg.Client, folder: string): Promise<string[]> {
  await client.query(
    "create table if not exists migration (name text primary key, applied_at timestamptz not null default now())",
  );
  const { rows } = await client.query<{ name: string }>("select name from migration");
  const applied = new Set(rows.map((row) => row.name));
  return (await listMigrations(folder)).filter((name) => !applied.has(name));
}

const recordMigration = (client: pg.Client, name: string) =>
  client.query("insert into migration (name) values ($1)", [name]);

const runTransaction = (session: LockSession, name: string, text: string) =>
  withShortLocks(session, name, async () => {
    const { client } = session;
    await client.query("begin");
    await client.query(text);
    await recordMigration(client, name);
    await client.query("commit");
  });

async function runStatements(session: LockSession, name: string, text: string): Promise<void> {
  for (const statement of splitStatements(text)) {
    const index = parseConcurrentIndex(statement);
    if (index) await createConcurrentIndex(session, index);
    else
      await withShortLocks(session, name, async () => {
        await session.client.query(statement);
      });
  }
  await recordMigration(session.client, name);
}
