import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Db } from "../database/database.ts";

export interface OutgoingRow {
  readonly id: number;
  readonly name: string;
  readonly payload: { readonly workspaceId?: string };
  readonly startAfter: Date | null;
}

type Reason = "queue_unknown" | "refused";

const batchSize = 500;

/** Stores jobs that the queue cannot accept in a separate table, so that they do not block the others. */
export async function setAside(app: App, tx: Db, jobs: readonly OutgoingRow[], reason: Reason, detail: string) {
  const rows = jobs.map(({ id, name, payload, startAfter }) => ({
    id,
    name,
    payload: JSON.stringify(payload),
    startAfter,
    reason,
    detail: detail.slice(0, 64),
  }));
  await tx.insertInto("setAsideJob").values(rows).execute();
  app.metrics.jobsSetAside.inc({ reason }, jobs.length);
  const about = { job: jobs[0]?.name.slice(0, 100), jobs: jobs.length, reason, detail };
  app.log.error(about, "jobs set aside: the queue cannot accept them");
}

/**
 * Re-enqueues set-aside jobs whose queue now exists, and with `refused` (when a worker starts) also those that the
 * queue refused.
 */
export async function requeueSetAside(app: App, { refused = false }: { refused?: boolean } = {}): Promise<number> {
  let requeued = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      with chosen as (
        select id from set_aside_job
        where name in (select name from pgboss.queue) and (reason = 'queue_unknown' or ${refused})
        order by id limit ${batchSize} for update skip locked
      ), again as (
        delete from set_aside_job where id in (select id from chosen) returning id, name, payload, start_after
      )
      insert into outgoing_job (name, payload, start_after)
      select name, payload, start_after from again order by id`.execute(app.db);
    requeued += Number(numAffectedRows);
    if (numAffectedRows < batchSize) break;
  }
  if (requeued > 0) app.log.info({ jobs: requeued }, "set-aside jobs requeued");
  return requeued;
}

/** Number of set-aside jobs by name. */
export async function countSetAside(db: Db): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int as count from set_aside_job group by name order by name limit 100`.execute(db);
  return rows;
}
