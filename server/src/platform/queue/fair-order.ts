import { sql } from "kysely";
import type { Db } from "../database/database.ts";

/** Maximum value of the queue's priority column. Jobs beyond it are served in FIFO order. */
const maxTurn = 2 ** 31 - 1;

/**
 * Assigns each job a turn number for round-robin scheduling between workspaces, so that a backlog of one workspace does
 * not delay the others. A job's turn is the workspace's last turn plus one, but never one that has already passed.
 */
export async function fairOrder(tx: Db, name: string, workspaces: readonly (string | undefined)[]): Promise<number[]> {
  const byWorkspace = Map.groupBy(
    workspaces.flatMap((id) => id ?? []),
    (id) => id,
  );
  if (byWorkspace.size === 0) return [];
  // Serialises the relays of several workers.
  await sql`select pg_advisory_xact_lock(hashtext(${`hearback.turns.${name}`}))`.execute(tx);
  const passed = await passedTurns(tx, name);
  await tx.deleteFrom("jobTurn").where("name", "=", name).where("turn", "<=", passed).execute();
  const last = await reserve(tx, name, passed, byWorkspace);
  return workspaces.map((id) => {
    if (id === undefined) return 0;
    const turn = (last.get(id) ?? 0) + 1;
    last.set(id, turn);
    return Math.min(turn, maxTurn);
  });
}

/**
 * Number of turns that have passed: all before the turn of the next job. An empty queue resets all turns. Retried jobs
 * do not count, because their turns are old.
 */
async function passedTurns(tx: Db, name: string): Promise<number> {
  const { rows } = await sql<{ priority: number }>`
    select priority from pgboss.job
    where name = ${name} and state = 'created' and not blocked and start_after <= now()
    order by priority desc, created_on limit 1`.execute(tx);
  const [first] = rows;
  if (first) return Math.max(0, -first.priority - 1);
  await tx.deleteFrom("jobTurn").where("name", "=", name).execute();
  return 0;
}

/** Reserves turns for each workspace and returns the turn before its first one. */
async function reserve(tx: Db, name: string, passed: number, byWorkspace: ReadonlyMap<string, readonly string[]>) {
  const rows = [...byWorkspace].map(([workspaceId, jobs]) => ({ name, workspaceId, turn: passed + jobs.length }));
  const reserved = await tx
    .insertInto("jobTurn")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["name", "workspaceId"]).doUpdateSet({
        turn: sql`least(job_turn.turn::bigint + excluded.turn - ${passed}::integer, ${maxTurn}::bigint)::integer`,
      }),
    )
    .returning(["workspaceId", "turn"])
    .execute();
  return new Map(
    reserved.map(({ workspaceId, turn }) => [workspaceId, turn - (byWorkspace.get(workspaceId)?.length ?? 0)]),
  );
}
