import { expect, test } from "vitest";
import { openTestApp } from "../../testing/test-app.ts";
import { examineLockTable } from "./lock-table.ts";

test("doctor recommends max_locks_per_transaction for the number of partitions and connections", async () => {
  const { app, admin } = await openTestApp({ DATABASE_CONNECTIONS: "400" });
  expect(await examineLockTable(app)).toMatchObject({ ok: true });
  for (let month = 1; month <= 6; month++)
    await admin.query("select add_call_month($1)", [`2026-0${month}-15T00:00:00Z`]);

  const { ok, detail } = await examineLockTable(app);
  expect(ok).toBe(false);
  // A query over all months locks as many relations as the message states.
  const { rows } = await admin
    .query(`
    begin;
    select count(*) from call join call_metadata on call_id = call.id join call_step using (call_id)
      join call_words using (call_id) join transcript using (call_id);
    select count(*)::int as count from pg_locks join pg_class on pg_class.oid = relation
      where pid = pg_backend_pid() and relispartition and relname ~ '^(call|transcript)_';
    rollback`)
    .then((results) => (results as unknown as { rows: { count: number }[] }[])[2] ?? { rows: [] });
  expect(detail).toContain(`locks ${rows[0]?.count} tables and indexes`);

  const { rows: settings } = await admin.query<{ sessions: number }>(
    "select current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int as sessions",
  );
  const advised = Number(/max_locks_per_transaction = (\d+)/.exec(detail)?.[1]);
  expect(advised * (settings[0]?.sessions ?? 0)).toBeGreaterThan((rows[0]?.count ?? 0) * 400);
});
