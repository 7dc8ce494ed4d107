import { describeBlockers, findBlockers, type LockSession, withShortLocks } from "./short-locks.ts";

const pattern =
  /^create\s+(unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([a-z_][a-z0-9_]*)\s+on\s+([a-z_][a-z0-9_]*)\s+([\s\S]*)$/i;
/** PostgreSQL truncates longer names. */
const maxNameLength = 63;
const reportMs = 10_000;

interface Index {
  readonly unique: boolean;
  readonly name: string;
  readonly table: string;
  /** The rest of the statement: columns, and the condition of a partial index. */
  readonly definition: string;
}

/** Parses a CREATE INDEX CONCURRENTLY statement. Undefined for any other statement. */
export function parseConcurrentIndex(statement: string): Index | undefined {
  const [, unique, name, table, definition] = pattern.exec(statement) ?? [];
  if (!name || !table || !definition) return undefined;
  return { unique: unique !== undefined, name, table, definition };
}

/** Whether an index is valid. Undefined if it does not exist. */
async function isValid({ client }: LockSession, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
    [name],
  );
  return rows[0]?.valid;
}

/** Runs without a lock timeout, because a concurrent build blocks no other statement. Reports what it waits for. */
async function runWithoutLockTimeout(session: LockSession, statement: string): Promise<void> {
  const report = setInterval(async () => {
    const blockers = await findBlockers(session).catch(() => []);
    if (blockers.length > 0)
      session.say(`Building an index is waiting for a transaction: ${describeBlockers(blockers)}.`);
  }, reportMs);
  try {
    await session.client.query("set lock_timeout = 0");
    await session.client.query(statement);
  } finally {
    clearInterval(report);
  }
}

async function createOnTable(session: LockSession, { unique, name, table, definition }: Index): Promise<void> {
  const valid = await isValid(session, name);
  if (valid) return;
  // An invalid index is left over from a failed attempt: no query uses it, but every write maintains it.
  if (valid === false) await runWithoutLockTimeout(session, `drop index concurrently ${name}`);
  await runWithoutLockTimeout(
    session,
    `create ${unique ? "unique " : ""}index concurrently ${name} on ${table} ${definition}`,
  );
}

/** The next partition on which the index is missing or not yet attached. */
async function nextPartition({ client }: LockSession, { name, table }: Index): Promise<string | undefined> {
  const { rows } = await client.query<{ partition: string }>(
    `select part.relname as partition from pg_inherits join pg_class as part on part.oid = inhrelid
     where inhparent = to_regclass($1) and not exists (
       select from pg_inherits as attached join pg_index on indexrelid = attached.inhrelid
       where attached.inhparent = to_regclass($2) and indrelid = part.oid)
     order by part.relname limit 1`,
    [table, name],
  );
  return rows[0]?.partition;
}

/**
 * PostgreSQL cannot create an index on a partitioned table concurrently. This creates it on the parent only, so that
 * new partitions get it, builds it concurrently on each existing partition, and attaches it. The last one makes the
 * parent's valid.
 */
async function createOnPartitions(session: LockSession, index: Index): Promise<void> {
  const { unique, name, table, definition } = index;
  if ((await isValid(session, name)) === undefined) {
    await withShortLocks(session, `Index ${name}`, async () => {
      await session.client.query(`create ${unique ? "unique " : ""}index ${name} on only ${table} ${definition}`);
    });
  }
  for (;;) {
    const partition = await nextPartition(session, index);
    if (!partition) break;
    const partitionIndex = `${partition}_${name}`.slice(0, maxNameLength);
    await createOnTable(session, { ...index, name: partitionIndex, table: partition });
    await withShortLocks(session, `Index ${partitionIndex}`, async () => {
      await session.client.query(`alter index ${name} attach partition ${partitionIndex}`);
    });
  }
  if (!(await isValid(session, name))) throw new Error(`The index ${name} exists on every partition but is not valid.`);
}

/** Creates an index without blocking writes, also on a partitioned table. Safe to run again after a failure. */
export async function createConcurrentIndex(session: LockSession, index: Index): Promise<void> {
  const { rows } = await session.client.query<{ partitioned: boolean }>(
    "select relkind = 'p' as partitioned from pg_class where oid = to_regclass($1)",
    [index.table],
  );
  await (rows[0]?.partitioned ? createOnPartitions(session, index) : createOnTable(session, index));
}
