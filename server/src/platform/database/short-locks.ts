import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isCancelled, isDeadlock, isLockTimeout } from "./errors.ts";

/**
 * Maximum total lock wait per attempt. Other statements queue behind a waiting migration, so it must give up quickly.
 */
const lockWaitMs = 1_000;
const pollMs = 100;
const initialBackoffMs = 1_000;
const maxBackoffMs = 15_000;

export interface LockSession {
  readonly client: pg.Client;
  /** A second connection that reports what the first one waits for. */
  readonly observer: pg.Client;
  readonly pid: number;
  /** How long to retry. */
  readonly maxWaitMs: number;
  readonly say: (text: string) => void;
}

interface Blocker {
  readonly pid: number;
  /** Null: a server process, in practice an autovacuum worker. */
  readonly role: string | null;
  readonly application: string;
}

/** A migration timed out waiting for a lock. Its statement or transaction was rolled back. */
export class MigrationBlocked extends Error {
  override name = "MigrationBlocked";
}

/** Sessions that block the migration. Their statements are not shown, because they can contain personal data. */
export async function findBlockers({ observer, pid }: LockSession): Promise<Blocker[]> {
  const { rows } = await observer.query<Blocker>(
    `select pid, usename as role, coalesce(application_name, '') as application
     from unnest(pg_blocking_pids($1)) as blocking (pid) join pg_stat_activity using (pid) limit 20`,
    [pid],
  );
  return rows;
}

export function describeBlockers(blockers: readonly Blocker[]): string {
  if (blockers.length === 0) return "the session that held it has already ended";
  const names = blockers.map(({ pid, role, application }) =>
    role === null ? `process ${pid} (autovacuum)` : `process ${pid} (${application || "unnamed"}, role ${role})`,
  );
  const ids = blockers.filter(({ role }) => role !== null).map(({ pid }) => `select pg_terminate_backend(${pid})`);
  return `held by ${names.join(", ")}${ids.length > 0 ? `; to terminate it, run ${ids.join("; ")}` : ""}`;
}

/** Start time of the migration's current transaction, which identifies it. */
async function findTransaction({ observer, pid }: LockSession): Promise<string | undefined> {
  const { rows } = await observer.query<{ start: string }>(
    "select xact_start::text as start from pg_stat_activity where pid = $1",
    [pid],
  );
  return rows[0]?.start;
}

/**
 * Monitors one attempt: records its blockers and cancels it when the lock waits of one transaction exceed the limit.
 */
function monitor(session: LockSession, limitMs: number) {
  const stopping = new AbortController();
  const seen = { blockers: [] as Blocker[], cancelled: false };
  async function run(): Promise<void> {
    let waitedMs = 0;
    let transaction: string | undefined;
    while (!stopping.signal.aborted) {
      const started = performance.now();
      await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      const blockers = await findBlockers(session);
      if (blockers.length === 0) continue;
      seen.blockers = blockers;
      const current = await findTransaction(session);
      if (current !== transaction) waitedMs = 0;
      transaction = current;
      waitedMs += performance.now() - started;
      if (waitedMs > limitMs && !stopping.signal.aborted) {
        seen.cancelled = true;
        await session.observer.query("select pg_cancel_backend($1)", [session.pid]);
      }
    }
  }
  // If the observer fails, lock_timeout still limits each wait.
  const running = run().catch(() => {});
  return {
    seen,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Lock wait limit of the next attempt. The server cancels a blocking autovacuum, but only after deadlock_timeout: if
 * autovacuum was the only blocker, the next attempt waits slightly longer than that.
 */
async function limitFor({ observer }: LockSession, blockers: readonly Blocker[]): Promise<number> {
  if (blockers.length === 0 || blockers.some(({ role }) => role !== null)) return lockWaitMs;
  const { rows } = await observer.query<{ ms: number }>(
    "select extract(epoch from current_setting('deadlock_timeout')::interval)::float8 * 1000 as ms",
  );
  return Math.max(lockWaitMs, (rows[0]?.ms ?? 0) + 500);
}

/**
 * Runs a statement or transaction that needs strong locks. It waits for them for at most one second in total, then
 * rolls back, lets other sessions proceed, and retries with backoff until `maxWaitMs` has passed.
 */
export async function withShortLocks(session: LockSession, what: string, work: () => Promise<void>): Promise<void> {
  const { client, maxWaitMs, say } = session;
  let limitMs = lockWaitMs;
  let deadline: number | undefined;
  for (let attempt = 0; ; attempt++) {
    await client.query(`set lock_timeout = ${Math.round(limitMs)}`);
    const { seen, stop } = monitor(session, limitMs);
    try {
      await work();
      await stop();
      return;
    } catch (error) {
      await stop();
      const blocked = isLockTimeout(error) || isDeadlock(error) || (isCancelled(error) && seen.cancelled);
      if (error instanceof pg.DatabaseError) await client.query("rollback").catch(() => {});
      if (!blocked) throw error;
      const reason = `${what} did not get a lock within ${(limitMs / 1000).toFixed(1)} s: ${describeBlockers(seen.blockers)}`;
      deadline ??= performance.now() + maxWaitMs;
      if (performance.now() >= deadline) {
        throw new MigrationBlocked(
          `${reason}. Run migrate again when the lock is free; completed migrations are kept.`,
        );
      }
      const backoffMs = Math.min(
        maxBackoffMs,
        initialBackoffMs * 2 ** attempt,
        Math.max(0, deadline - performance.now()),
      );
      say(`${reason}. Trying again in ${Math.ceil(backoffMs / 1000)} s.`);
      await sleep(backoffMs * (0.75 + Math.random() / 4));
      limitMs = await limitFor(session, seen.blockers);
    }
  }
}
