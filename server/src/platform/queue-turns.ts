import { sql } from "kysely";
import type { Db } from "./database/database.ts";

/** The most that the queue's priority can hold. Who comes after that is served in the order of coming. */
const lastTurn = 2 ** 31 - 1;

/**
 * Gives each job its turn in a queue, by the workspaces they are for: workspaces take turns, however much one of them
 * has waiting. A turn is one behind the workspace's last, and none that is over.
 */
export async function giveTurns(tx: Db, name: string, workspaces: readonly (string | undefined)[]): Promise<number[]> {
  const asking = Map.groupBy(
    workspaces.flatMap((id) => id ?? []),
    (id) => id,
  );
  if (asking.size === 0) return [];
  // Relays of several workers give them one after the other.
  await sql`select pg_advisory_xact_lock(hashtext(${`hearback.turns.${name}`}))`.execute(tx);
  const over = await turnsOver(tx, name);
  await tx.deleteFrom("jobTurn").where("name", "=", name).where("turn", "<=", over).execute();
  const last = await reserve(tx, name, over, asking);
  return workspaces.map((id) => {
    if (id === undefined) return 0;
    const turn = (last.get(id) ?? 0) + 1;
    last.set(id, turn);
    return Math.min(turn, lastTurn);
  });
}

/**
 * How many turns are over: all before that of the job that is taken next. With nothing to do everything begins anew.
 * A job that is tried again does not count: it comes from an earlier time.
 */
async function turnsOver(tx: Db, name: string): Promise<number> {
  const { rows } = await sql<{ priority: number }>`
    select priority from pgboss.job
    where name = ${name} and state = 'created' and not blocked and start_after <= now()
    order by priority desc, created_on limit 1`.execute(tx);
  const [first] = rows;
  if (first) return Math.max(0, -first.priority - 1);
  await tx.deleteFrom("jobTurn").where("name", "=", name).execute();
  return 0;
}

/** Notes how far each workspace's turns will go, and gives where they begin. */
async function reserve(tx: Db, name: string, over: number, asking: ReadonlyMap<string, readonly string[]>) {
  const rows = [...asking].map(([workspaceId, jobs]) => ({ name, workspaceId, turn: over + jobs.length }));
  const reserved = await tx
    .insertInto("jobTurn")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["name", "workspaceId"]).doUpdateSet({
        turn: sql`least(job_turn.turn::bigint + excluded.turn - ${over}::integer, ${lastTurn}::bigint)::integer`,
      }),
    )
    .returning(["workspaceId", "turn"])
    .execute();
  return new Map(reserved.map(({ workspaceId, turn }) => [workspaceId, turn - (asking.get(workspaceId)?.length ?? 0)]));
}
