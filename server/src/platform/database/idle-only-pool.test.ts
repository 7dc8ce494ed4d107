import { sql } from "kysely";
import { expect, test } from "vitest";
import { openJsonClient } from "../../testing/json-client.ts";
import { openTcpProxy } from "../../testing/servers/tcp-proxy.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { closeApp, openApp } from "../app.ts";
import { inWorkspace } from "./in-workspace.ts";

// One connection, so that each test sees the state that the previous user left.
const service = await openTestApp({ DATABASE_CONNECTIONS: "1" });
const { app, admin } = service;
const { workspaceId } = service.caller;
const ask = openJsonClient(service, await service.key("manage"));

const backend = async () => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(app.db);
  return rows[0]?.pid;
};

/** Cancels the service's statement with this prefix as soon as it runs. */
async function cancel(beginning: string): Promise<void> {
  const running = `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database()
    and application_name = 'hearback' and state = 'active' and query like $1 || '%'`;
  await expect.poll(async () => (await admin.query(running, [beginning])).rowCount, { interval: 5 }).toBe(1);
}

test("requests succeed after the statement that begins a transaction was cancelled", async () => {
  // The setting's value is part of the statement; this one makes it slow.
  const slow = { "hearback.slow": "' || pg_sleep(20)::text || '" };
  const begun = inWorkspace(app, workspaceId, async () => {}, slow);
  await Promise.all([cancel("begin; select"), expect(begun).rejects.toMatchObject({ code: "57014" })]);
  for (let number = 0; number < 20; number++) expect((await ask("GET", "/campaigns")).status).toBe(200);
});

test("closes a connection that is released inside a transaction; the next user gets a new one", async () => {
  for (const left of ["begin", "begin; select 1/0"]) {
    const before = await backend();
    await app.db
      .connection()
      .execute((db) => sql.raw(left).execute(db))
      .catch(() => {});
    expect((await ask("GET", "/campaigns")).status).toBe(200);
    expect(await backend()).not.toBe(before);
  }
});

test("keeps the connection after a statement fails outside a transaction", async () => {
  const before = await backend();
  await expect(sql`select 1/0`.execute(app.db)).rejects.toMatchObject({ code: "22012" });
  expect(await backend()).toBe(before);
});

test("a transaction with an ignored error fails instead of committing nothing", async () => {
  const ignored = inWorkspace(app, workspaceId, async (tx) => {
    await sql`select 1/0`.execute(tx).catch(() => {});
    return "done";
  });
  await expect(ignored).rejects.toMatchObject({ code: "25P02" });
  const own = app.db.transaction().execute((tx) =>
    sql`select 1/0`
      .execute(tx)
      .catch(() => {})
      .then(() => "done"),
  );
  await expect(own).rejects.toMatchObject({ code: "25P02" });
  expect((await ask("GET", "/campaigns")).status).toBe(200);
});

test("replaces a lost connection immediately", async () => {
  const { database } = app.config;
  const proxy = await openTcpProxy(database.url);
  const config = { ...app.config, database: { ...database, url: proxy.url(database.url) } };
  const behind = openApp(config, { log: app.log, handlers: app.handlers });
  try {
    const slow = expect(sql`select pg_sleep(5)`.execute(behind.db)).rejects.toThrow(/terminated/);
    const running = `select from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'`;
    await expect.poll(async () => (await admin.query(running)).rowCount, { interval: 5 }).toBe(1);
    proxy.redirect(database.url);
    await slow;
    await sql`select 1`.execute(behind.db);
  } finally {
    await closeApp(behind);
    proxy.close();
  }
});
