import { sql } from "kysely";
import type { App } from "../../platform/app.ts";

interface LockTable {
  readonly perTransaction: number;
  readonly sessions: number;
  /** Partitions of calls and their indexes. */
  readonly relations: number;
  readonly months: number;
  /** Current connections of all service processes to this database. */
  readonly connections: number;
}

/** Counts the relations that a search over all months locks: every partition of the call tables and its indexes. */
async function readLockTable(app: App): Promise<LockTable> {
  const { rows } = await sql<LockTable>`
    with partition as (
      select relid, parent.name from unnest(array['call', 'call_metadata', 'call_step', 'call_words', 'transcript']) as parent (name),
        pg_partition_tree(to_regclass(parent.name)) where level > 0
    )
    select current_setting('max_locks_per_transaction')::int as per_transaction,
      current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int as sessions,
      (select count(*)::int from partition) +
        (select count(*)::int from pg_index where indrelid in (select relid from partition)) as relations,
      (select count(*)::int from partition where name = 'call') as months,
      (select count(*)::int from pg_stat_activity where datname = current_database() and usename = current_user) as connections`.execute(
    app.db,
  );
  const [found] = rows;
  if (!found) throw new Error("PostgreSQL returned no settings");
  return found;
}

/** For `doctor`: checks that the shared lock table is large enough for every connection to search all months at once. */
export async function examineLockTable(app: App): Promise<{ ok: boolean; detail: string }> {
  const { perTransaction, sessions, relations, months, connections } = await readLockTable(app);
  const capacity = perTransaction * sessions;
  const maxConnections = Math.max(connections, app.config.database.maxConnections);
  const needed = relations * maxConnections;
  const state = `${months} months of calls: a search over all of them locks ${relations} tables and indexes, so ${maxConnections} connections need ${needed} locks of ${capacity} available`;
  if (needed <= capacity) return { ok: true, detail: state };
  // Adds 50% for future months, rounded up to a multiple of PostgreSQL's default, 64.
  const advised = Math.ceil((needed * 1.5) / sessions / 64) * 64;
  return {
    ok: false,
    detail: `${state}. Requests can fail with "out of shared memory". Set max_locks_per_transaction = ${advised} (now ${perTransaction}) and restart PostgreSQL`,
  };
}
