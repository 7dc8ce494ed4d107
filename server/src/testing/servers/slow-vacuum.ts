import pg from "pg";

/** Starts a vacuum that takes seconds and holds the same lock as an autovacuum, but is not cancelled by waiting sessions. */
export async function startSlowVacuum(ownerUrl: string, table: string) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = rows[0]?.pid ?? 0;
  await client.query("set vacuum_cost_delay = 100; set vacuum_cost_limit = 1");
  const vacuum = client.query(`vacuum (index_cleanup on) ${table}`).catch(() => {});
  return {
    pid,
    async stop(admin: pg.Pool) {
      await admin.query("select pg_cancel_backend($1)", [pid]);
      await vacuum;
      await client.end();
    },
  };
}
