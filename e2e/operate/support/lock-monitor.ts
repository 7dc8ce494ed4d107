import { setTimeout as sleep } from "node:timers/promises";
import type { Stack } from "../../support/stack/stack.ts";

export interface LockWait {
  readonly ms: number;
  /** The statement that waited, and those that held the lock. */
  readonly statements: string;
}

export interface LockMonitor {
  /** The longest time that a session has waited for a lock so far. */
  longest(): LockWait;
  stop(): Promise<void>;
}

const everyMs = 50;

/** Watches how long sessions of the stack's database wait for locks. */
export function watchLocks(stack: Stack): LockMonitor {
  let longest: LockWait = { ms: 0, statements: "" };
  let isWatching = true;
  const watch = async () => {
    while (isWatching) {
      const { rows } = await stack.adminDb.query<LockWait>(
        `select extract(epoch from clock_timestamp() - waitstart)::float8 * 1000 as ms,
            regexp_replace(mode || ' on ' || coalesce(relation::regclass::text, locktype) || ' by ' || coalesce((
              select left(query, 200) from pg_stat_activity where pg_stat_activity.pid = pg_locks.pid
            ), '?') || ', held by ' || coalesce((
              select string_agg(left(query, 200), '; ') from pg_stat_activity where pid = any(pg_blocking_pids(pg_locks.pid))
            ), '?'), '\\s+', ' ', 'g') as statements
          from pg_locks where not granted and locktype <> 'advisory'
            and database = (select oid from pg_database where datname = current_database())
          order by 1 desc limit 1`,
      );
      const [wait] = rows;
      if (wait && wait.ms > longest.ms) longest = wait;
      await sleep(everyMs);
    }
  };
  const watching = watch();
  return {
    longest: () => longest,
    async stop() {
      isWatching = false;
      await watching;
    },
  };
}
