import { createHash } from "node:crypto";
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
    const pending: string[] = [];
    for (const migration of await readPending(session, folder)) {
      await (noTransaction.test(migration.text)
        ? runStatements(session, migration)
        : runTransaction(session, migration));
      pending.push(migration.name);
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

interface Migration {
  readonly name: string;
  readonly text: string;
}

const digestOf = ({ text }: Migration) => createHash("sha256").update(text).digest();

/** Throws if a migration was changed after it was applied. Those applied by releases before 0.2 have no digest. */
async function readPending(session: LockSession, folder: string): Promise<Migration[]> {
  const { client } = session;
  await openMigrationTable(session);
  const { rows } = await client.query<{ name: string; digest: Buffer | null }>("select name, digest from migration");
  const applied = new Map(rows.map(({ name, digest }) => [name, digest]));
  const pending: Migration[] = [];
  for (const name of await listMigrations(folder)) {
    const migration = { name, text: await readFile(join(folder, name), "utf8") };
    const digest = applied.get(name);
    if (digest === undefined) pending.push(migration);
    else if (digest && !digest.equals(digestOf(migration))) throw changedSince(name);
  }
  return pending;
}

/** Creates the table, or adds what earlier releases did not store. */
async function openMigrationTable(session: LockSession): Promise<void> {
  const { client } = session;
  await client.query(
    "create table if not exists migration (name text primary key, applied_at timestamptz not null default now(), digest bytea)",
  );
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = 'migration'::regclass and attname = 'digest'",
  );
  if (rowCount === 0)
    await withShortLocks(session, "the table of migrations", async () => {
      await client.query("alter table migration add column if not exists digest bytea");
    });
}

const changedSince = (name: string) =>
  new MigrationBlocked(
    `${name} was changed after this database had applied it, so the database may differ from what this version expects. Nothing was migrated. Install an unchanged release; in development, restore the file and put the change into a new migration.`,
  );

const recordMigration = (client: pg.Client, migration: Migration) =>
  client.query("insert into migration (name, digest) values ($1, $2)", [migration.name, digestOf(migration)]);

const runTransaction = (session: LockSession, migration: Migration) =>
  withShortLocks(session, migration.name, async () => {
    const { client } = session;
    await client.query("begin");
    await client.query(migration.text);
    await recordMigration(client, migration);
    await client.query("commit");
  });

async function runStatements(session: LockSession, migration: Migration): Promise<void> {
  for (const statement of splitStatements(migration.text)) {
    const index = parseConcurrentIndex(statement);
    if (index) await createConcurrentIndex(session, index);
    else
      await withShortLocks(session, migration.name, async () => {
        await session.client.query(statement);
      });
  }
  await recordMigration(session.client, migration);
}
