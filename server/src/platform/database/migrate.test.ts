import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { inDatabase } from "../../testing/servers/engines.ts";
import { migrate } from "./migrate.ts";

const engines = inject("engines");
const shipped = join(import.meta.dirname, "migrations");
const work = await mkdtemp(join(tmpdir(), "hearback-migrate-"));
const open: pg.Client[] = [];

afterAll(async () => {
  for (const client of open) await client.end();
  await rm(work, { recursive: true });
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  open.push(client);
  return client;
}

/** Creates an empty database and connects to it as superuser. */
async function emptyDatabase() {
  const name = `migrate_${randomUUID().replaceAll("-", "")}`;
  const setup = await connect(engines.DATABASE_ADMIN_URL);
  await setup.query(`create database ${name} owner hearback_owner`);
  const adminUrl = inDatabase(engines.DATABASE_ADMIN_URL, name);
  return { ownerUrl: inDatabase(engines.DATABASE_OWNER_URL, name), adminUrl, admin: await connect(adminUrl) };
}

/** A folder with the shipped migrations before this number. */
async function shippedUntil(number: string): Promise<string> {
  const folder = join(work, randomUUID());
  await mkdir(folder);
  for (const name of await readdir(shipped)) if (name < number) await cp(join(shipped, name), join(folder, name));
  return folder;
}

const workspace = "01900000-0000-7000-8000-000000000001";
const months = ["2026-01-10T00:00:00Z", "2026-02-10T00:00:00Z"];

/** Adds two months of calls from before the import day column existed. */
async function addCalls(admin: pg.Client, each: number): Promise<void> {
  for (const month of months) await admin.query("select add_call_month($1)", [month]);
  await admin.query("insert into workspace (id, name) values ($1, 'Acme')", [workspace]);
  await admin.query("insert into campaign (workspace_id, id, name) values ($1, 'c', 'C')", [workspace]);
  await admin.query(
    `insert into app_user (workspace_id, id, email, email_key, name, role, status, invitation)
     values ($1, $1, 'a@b.c', 'a@b.c', 'A', 'agent', 'active', 'not_requested')`,
    [workspace],
  );
  for (const month of months) await addCall(admin, month, each);
}

const addCall = (admin: pg.Client, month: string, each = 1) =>
  admin.query(
    `insert into call (workspace_id, id, campaign_id, agent_id, happened_at, metadata, recording_key, recording_bytes,
       sha256, format, created_at)
     select $1, overlay(first_call_id($2::timestamptz + number * interval '1 s')::text placing
         substr(gen_random_uuid()::text, 25, 12) from 25)::uuid,
       'c', $1, $2, '[]', gen_random_uuid(), 1, '', 'wav', '2026-02-11T12:00:00Z'
     from generate_series(1, $3) as number`,
    [workspace, month, each],
  );

const invalidIndexes = async (admin: pg.Client) =>
  (await admin.query("select indexrelid::regclass::text as name from pg_index where not indisvalid")).rows;

test("a migration that waits for a lock blocks others for at most one second, and succeeds later", async () => {
  const { ownerUrl, adminUrl, admin } = await emptyDatabase();
  await migrate(ownerUrl, { folder: await shippedUntil("0006") });
  await addCalls(admin, 20);
  const holder = await connect(adminUrl);
  await holder.query("set application_name = 'long report'; begin; select count(*) from call");

  const said: string[] = [];
  let done = false;
  const migrating = migrate(ownerUrl, { folder: await shippedUntil("0007"), say: (text) => said.push(text) }).finally(
    () => {
      done = true;
    },
  );
  let longestMs = 0;
  const until = performance.now() + 3_000;
  while (performance.now() < until) {
    const started = performance.now();
    await addCall(admin, "2026-01-20T00:00:00Z");
    longestMs = Math.max(longestMs, performance.now() - started);
    await sleep(20);
  }
  expect(done).toBe(false);
  // It did block an insert, up to its limit: the report still holds its lock.
  expect(longestMs).toBeGreaterThan(500);
  expect(said.join("\n")).toMatch(
    /0006-call-search\.sql did not get a lock within 1\.0 s: held by process \d+ \(long report/,
  );
  await holder.query("commit");
  expect(await migrating).toEqual(["0006-call-search.sql"]);

  expect((await admin.query("select count(*)::int from call where imported_on <> '2026-02-11'")).rows).toEqual([
    { count: 0 },
  ]);
  expect(await invalidIndexes(admin)).toEqual([]);
  const { rows } = await admin.query(
    "select inhparent::regclass::text as name, count(*)::int from pg_inherits where inhparent = any ($1::regclass[]) group by 1 order by 1",
    [["call_by_import_day", "call_long", "call_short"]],
  );
  expect(rows).toEqual(
    ["call_by_import_day", "call_long", "call_short"].map((name) => ({ name, count: months.length })),
  );
  // New partitions get the indexes when they are created.
  await admin.query("select add_call_month('2026-03-10T00:00:00Z')");
  expect((await admin.query("select from pg_inherits where inhparent = 'call_long'::regclass")).rowCount).toBe(3);
  expect(await invalidIndexes(admin)).toEqual([]);
});

test("an index whose creation was interrupted is dropped and created again", async () => {
  const { ownerUrl, adminUrl, admin } = await emptyDatabase();
  await migrate(ownerUrl, { folder: await shippedUntil("0006") });
  await addCalls(admin, 5);
  const holder = await connect(adminUrl);
  // Creating an index concurrently waits for writers of the table.
  await holder.query("begin; select pg_current_xact_id(); lock table call_2026_02 in row exclusive mode");
  const folder = await shippedUntil("0006");
  await writeFile(
    join(folder, "0006-index.sql"),
    `-- migrate: no transaction
    create index concurrently if not exists call_test on call (workspace_id, created_at);`,
  );
  const migrating = migrate(ownerUrl, { folder });
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database()
    and application_name = 'hearback migrate' and query like 'create index concurrently%call_2026_02%' and wait_event_type = 'Lock'`;
  await Promise.all([
    expect(migrating).rejects.toMatchObject({ code: "57014" }),
    expect.poll(async () => (await admin.query(cancel)).rowCount, { timeout: 10_000 }).toBe(1),
  ]);
  expect(await invalidIndexes(admin)).toEqual(
    expect.arrayContaining([{ name: "call_2026_02_call_test" }, { name: "call_test" }]),
  );
  await holder.query("rollback");
  expect(await migrate(ownerUrl, { folder })).toEqual(["0006-index.sql"]);
  expect(await invalidIndexes(admin)).toEqual([]);
});

test("the limit applies to the sum of all lock waits", async () => {
  const { ownerUrl, adminUrl } = await emptyDatabase();
  const folder = join(work, randomUUID());
  await mkdir(folder);
  await writeFile(join(folder, "1.sql"), "create table a (); create table b ()");
  await migrate(ownerUrl, { folder });
  await writeFile(join(folder, "2.sql"), "lock table a; lock table b");
  const holders = await Promise.all([connect(adminUrl), connect(adminUrl)]);
  await holders[0]?.query("begin; lock table a");
  await holders[1]?.query("begin; lock table b");
  const said: string[] = [];
  const migrating = migrate(ownerUrl, { folder, say: (text) => said.push(text) });
  // The first lock is granted after 0.7 s. The second would be granted after another 0.8 s, which exceeds the limit.
  await sleep(700);
  await holders[0]?.query("commit");
  await sleep(800);
  await holders[1]?.query("commit");
  expect(await migrating).toEqual(["2.sql"]);
  expect(said).toHaveLength(1);
});

test("concurrent processes apply each migration once", async () => {
  const { ownerUrl, admin } = await emptyDatabase();
  const applied = await Promise.all([migrate(ownerUrl), migrate(ownerUrl), migrate(ownerUrl)]);
  const all = (await readdir(shipped)).sort();
  expect(applied.flat().sort()).toEqual(all);
  expect(await invalidIndexes(admin)).toEqual([]);
});

test("a migration that was changed after it was applied is refused, and nothing is migrated", async () => {
  const { ownerUrl, admin } = await emptyDatabase();
  const folder = join(work, randomUUID());
  await mkdir(folder);
  await writeFile(join(folder, "1.sql"), "create table a ()");
  await writeFile(join(folder, "2.sql"), "-- migrate: no transaction\ncreate table if not exists b ();");
  await migrate(ownerUrl, { folder });
  expect(await migrate(ownerUrl, { folder })).toEqual([]);
  await writeFile(join(folder, "2.sql"), "-- migrate: no transaction\ncreate table if not exists b (x int);");
  await writeFile(join(folder, "3.sql"), "create table c ()");
  await expect(migrate(ownerUrl, { folder })).rejects.toThrow(/^2\.sql was changed after .* put the change into a new/);
  expect((await admin.query("select to_regclass('c') as name")).rows).toEqual([{ name: null }]);
  // As a release applied it that stored no digests.
  await admin.query("alter table migration drop column digest");
  expect(await migrate(ownerUrl, { folder })).toEqual(["3.sql"]);
});

test("a migration that times out waiting for a lock names the blocker and is rolled back", async () => {
  const { ownerUrl, adminUrl, admin } = await emptyDatabase();
  await migrate(ownerUrl, { folder: await shippedUntil("0006") });
  const folder = await shippedUntil("0006");
  await writeFile(join(folder, "0006-x.sql"), "create table left_behind (); alter table call add column x int;");
  const holder = await connect(adminUrl);
  await holder.query("begin; select from call");
  await expect(migrate(ownerUrl, { folder, maxWaitMs: 0 })).rejects.toThrow(/pg_terminate_backend/);
  expect((await admin.query("select to_regclass('left_behind') as name")).rows).toEqual([{ name: null }]);
  await holder.query("rollback");
});

test("the name of a preparation step is not restricted by a check constraint", async () => {
  const { ownerUrl, admin } = await emptyDatabase();
  await migrate(ownerUrl, { folder: await shippedUntil("0014") });
  await addCalls(admin, 1);
  const checks = `select conrelid::regclass::text from pg_constraint where conname = 'call_step_step_check'`;
  expect((await admin.query(checks)).rowCount).toBe(1 + months.length);
  await migrate(ownerUrl);
  expect((await admin.query(checks)).rows).toEqual([]);
});

test("the search by phone number covers entries from before, and those that the previous release adds afterwards", async () => {
  const { ownerUrl, admin } = await emptyDatabase();
  await migrate(ownerUrl, { folder: await shippedUntil("0022") });
  await addCalls(admin, 1);
  const { rows: calls } = await admin.query<{ id: string; workspace_id: string }>("select id, workspace_id from call");
  const add = (value: string) =>
    admin.query("insert into call_metadata (workspace_id, call_id, key, value) values ($1, $2, 'number', $3)", [
      calls[0]?.workspace_id,
      calls[0]?.id,
      value,
    ]);
  await add("+33 1 23 45 67 89");
  await add("Lyon");
  expect(await migrate(ownerUrl, { folder: await shippedUntil("0023") })).toEqual(["0022-phone-search.sql"]);
  await add("0223456789");
  const { rows } = await admin.query('select value, phone_digits from call_metadata order by value collate "C"');
  expect(rows).toEqual([
    { value: "+33 1 23 45 67 89", phone_digits: "98765432133" },
    { value: "0223456789", phone_digits: "9876543220" },
    { value: "Lyon", phone_digits: null },
  ]);
});

test("the search belongs to hearback_owner until an administrator has created hearback_search, then migrate hands it over", async () => {
  const { ownerUrl, admin } = await emptyDatabase();
  const owners = async () => {
    const { rows } = await admin.query(
      `select proowner::regrole::text as owner, (select polroles::regrole[]::text[] from pg_policy where polname = 'search') as seen_by,
        has_schema_privilege('hearback_search', 'public', 'create') as creates from pg_proc where proname = 'said_calls'`,
    );
    return rows[0];
  };
  // Roles belong to the cluster, which other tests use: this migrates as the owner would if the role did not exist.
  await migrate(ownerUrl, { folder: await shippedUntil("0035") });
  const folder = await shippedUntil("0035");
  const text = await readFile(join(shipped, "0035-call-words.sql"), "utf8");
  await writeFile(join(folder, "0035-call-words.sql"), text.replaceAll("'hearback_search'", "'hearback_missing'"));
  await migrate(ownerUrl, { folder });
  await admin.query("update migration set digest = null where name = '0035-call-words.sql'");
  expect(await owners()).toEqual({ owner: "hearback_owner", seen_by: ["hearback_owner"], creates: false });

  const body = /create function give_search_its_role[\s\S]*?end \$\$;/.exec(text)?.[0] ?? "";
  await admin.query(body.replace("create function", "create or replace function"));
  await migrate(ownerUrl, { folder });
  expect(await owners()).toEqual({ owner: "hearback_search", seen_by: ["hearback_search"], creates: false });
});
