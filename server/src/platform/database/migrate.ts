import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

const folder = join(import.meta.dirname, "migrations");

/** Runs the migrations that this database has not seen. Several processes may call it at once. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "hearback migrate" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('hearback.migrate'))");
    await client.query(
      "create table if not exists migration (name text primary key, applied_at timestamptz not null default now())",
    );
    const { rows } = await client.query<{ name: string }>("select name from migration");
    const applied = new Set(rows.map((row) => row.name));
    const missing = (await readdir(folder)).filter((name) => name.endsWith(".sql") && !applied.has(name)).sort();
    for (const name of missing) {
      await client.query("begin");
      await client.query(await readFile(join(folder, name), "utf8"));
      await client.query("insert into migration (name) values ($1)", [name]);
      await client.query("commit");
    }
    return missing;
  } finally {
    await client.end();
  }
}
