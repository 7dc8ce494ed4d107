import type { Stack } from "../../support/stack/stack.ts";

export interface LockMonitor {
  /** The longest time that a session has waited for a lock so far. */
  longestMs(): number;
  stop(): Promise<void>;
}

const everyMs = 50;

/** Watches how long sessions of the stack's database wait for locks. */
export function watchLocks(stack: Stack): LockMonitor {
  let longest = 0;
  let isWatching = true;
  const watch = async () => {
    while (isWatching) {
      const { rows } = await stack.adminDb.query<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms, pg_sleep($1::float8 / 1000)
           from pg_locks where not granted and locktype <> 'advisory'
            and database = (select oid from pg_database where datname = current_database())`,
        [everyMs],
      );
      longest = Math.max(longest, rows[0]?.ms ?? 0);
    }
  };
  const watching = watch();
  return {
    longestMs: () => longest,
    async stop() {
      isWatching = false;
      await watching;
    },
  };
}
