import type { PgBoss } from "pg-boss";

type Execute = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

const execute =
  (boss: PgBoss): Execute =>
  async (text, values) =>
    (await boss.getDb().executeSql(text, values)) as unknown as { rows: Record<string, unknown>[] };

/**
 * Creates the index for supervision.ts on every job table: active jobs, and finished jobs by age. Built concurrently,
 * so that workers keep running.
 */
export async function indexQueueTables(boss: PgBoss): Promise<void> {
  const run = execute(boss);
  const { rows } = await run(`
    select distinct q.table_name as name, i.indisvalid as valid from pgboss.queue q
    left join pg_index i on i.indexrelid = to_regclass(format('pgboss.%I', q.table_name || '_s'))`);
  for (const { name, valid } of rows) {
    if (valid === true) continue;
    // An invalid index is left over from an interrupted build.
    if (valid === false) await run(`drop index concurrently pgboss."${name}_s"`);
    await run(`create index concurrently "${name}_s" on pgboss."${name}" (state, completed_on) where state > 'retry'`);
  }
}

/**
 * Gives a busy queue its own table and moves its waiting jobs, holding an exclusive lock while they are copied.
 */
export async function partitionQueue(boss: PgBoss, name: string): Promise<void> {
  const run = execute(boss);
  const { rows } = await run("select partition from pgboss.queue where name = $1", [name]);
  if (rows[0]?.partition !== false) return;
  const literal = `'${name.replaceAll("'", "''")}'`;
  // Delete finished jobs first, in batches, without the lock.
  for (;;) {
    const { rows: deleted } = await run(
      `delete from pgboss.job_common where ctid = any(array(
         select ctid from pgboss.job_common where state > 'active' and name = $1 limit 5000)) returning 1`,
      [name],
    );
    if (deleted.length < 5_000) break;
  }
  await run(`
    begin;
    set local lock_timeout = '3s';
    lock table pgboss.job_common in access exclusive mode;
    create temporary table moving on commit drop as select * from pgboss.job_common where name = ${literal};
    delete from pgboss.job_common where name = ${literal};
    delete from pgboss.queue where name = ${literal};
    select pgboss.create_queue(${literal}, '{"policy": "standard", "partition": true}');
    insert into pgboss.job select * from moving;
    commit`);
}
