import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createApiKey } from "../../access/keys/create-api-key.ts";
import { openApi } from "../../api.ts";
import { handlers } from "../../handlers.ts";
import { recountAll } from "../../limits/recount-usage.ts";
import { migrateAll } from "../../migrate-all.ts";
import { openJsonClient } from "../../testing/json-client.ts";
import { type Cluster, startCluster } from "../../testing/servers/backups.ts";
import { type Standby, startStandby } from "../../testing/servers/standby.ts";
import { openTcpProxy, type TcpProxy } from "../../testing/servers/tcp-proxy.ts";
import { runWorker, type Worker } from "../../worker.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { operatorIn } from "../actor.ts";
import { type App, closeApp, openApp } from "../app.ts";
import { readConfig } from "../config.ts";
import type { Api } from "../http/server.ts";
import { enqueue } from "../queue/queue.ts";

// Its own cluster: a standby is a copy of the whole cluster, and the shared one contains the databases of all tests.
let cluster: Cluster;
let standby: Standby;
let proxy: TcpProxy;
/** Connected to its database through the proxy. */
let app: App;
let logged = "";
let api: Api;
let ask: ReturnType<typeof openJsonClient>;
let worker: Worker;
let number = 0;

const invite = () => {
  const email = `agent${number++}@example.com`;
  return ask("POST", "/users/invite", { email, name: "An Agent", role: "agent", send_invite_email: false });
};
const readiness = async () => {
  const answer = await api.inject({ method: "GET", url: "/readyz" });
  return { code: answer.statusCode, ...answer.json<{ status: string; reason?: string; detail?: string }>() };
};
const workerReadiness = async () => {
  const port = /"port":(\d+),"msg":"worker ready"/.exec(logged)?.[1];
  return (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
};

beforeAll(async () => {
  const { dir } = inject("engines");
  cluster = await startCluster(dir);
  proxy = await openTcpProxy(cluster.serviceUrl);
  const config = readConfig({
    DATABASE_URL: proxy.url(cluster.serviceUrl),
    STORAGE: "filesystem",
    STORAGE_DIR: join(dir, "failover"),
    SCRATCH_DIR: join(tmpdir(), "failover"),
    WORKER_PORT: "0",
  });
  app = openApp(config, {
    handlers: async () => handlers,
    log: pino({ level: "info", base: null }, { write: (line: string) => (logged += line) }),
  });
  await migrateAll(app, cluster.ownerUrl);
  standby = await startStandby({ primaryUrl: cluster.adminUrl, dir });
  const workspace = await createWorkspace(app, "Acme");
  const { key } = await createApiKey(app, operatorIn(workspace.id), { name: "test", scopes: ["manage"] });
  api = await openApi(app);
  ask = openJsonClient({ api }, key);
  worker = await runWorker(app);
});

afterAll(async () => {
  await worker?.stop();
  await api?.close();
  if (app) await closeApp(app);
  proxy?.close();
  await standby?.stop();
  await cluster?.stop();
});

test("a service connected to a standby is not ready, reports the reason, and recovers after the promotion", async () => {
  expect(await readiness()).toEqual({ code: 200, status: "ready" });
  expect((await invite()).status).toBe(201);

  proxy.redirect(standby.url(cluster.serviceUrl));
  // The first requests may still use connections that the proxy has just closed.
  await expect.poll(readiness).toMatchObject({ detail: expect.stringContaining("standby") });
  expect(await readiness()).toMatchObject({
    code: 503,
    reason: "database_unavailable",
    detail: expect.stringContaining("standby"),
  });
  expect((await invite()).status).toBe(503);
  await expect.poll(workerReadiness).toBe(503);

  await standby.promote();
  // Readiness is cached for half a second.
  await expect.poll(readiness).toEqual({ code: 200, status: "ready" });
  expect((await invite()).status).toBe(201);
  await expect.poll(workerReadiness).toBe(200);
  await enqueue(app.db, recountAll, {});
  const waiting = () => app.db.selectFrom("outgoingJob").select("id").execute();
  await expect.poll(waiting, { timeout: 15_000 }).toEqual([]);
});

test("does not acknowledge a commit that the synchronous standby has not confirmed", async () => {
  const admin = new pg.Client({ connectionString: standby.url(cluster.adminUrl) });
  await admin.connect();
  // The setting takes effect in the server's checkpointer, from which all sessions learn it.
  const setStandby = async (names: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`);
    await admin.query("select pg_reload_conf()");
    const isSet = async () => (await admin.query("show synchronous_standby_names")).rows[0]?.synchronous_standby_names;
    await expect.poll(isSet).toBe(names);
  };
  const waiting = "from pg_stat_activity where wait_event = 'SyncRep'";
  const user = { email: "unconfirmed@example.com", name: "An Agent", role: "agent", send_invite_email: false };
  try {
    await setStandby("missing");
    const invited = ask("POST", "/users/invite", user);
    // As statement_timeout does.
    await expect
      .poll(async () => (await admin.query(`select pg_cancel_backend(pid) ${waiting}`)).rowCount, { timeout: 10_000 })
      .toBeGreaterThan(0);
    expect((await invited).status).toBe(503);
  } finally {
    await setStandby("");
    await admin.query(`select pg_cancel_backend(pid) ${waiting}`);
    await admin.end();
  }
  // The commit exists here, and a repeated request finds it.
  expect((await ask("POST", "/users/invite", user)).status).toBe(409);
});

test("closes a connection after a write failed as read-only", async () => {
  const admin = new pg.Client({ connectionString: standby.url(cluster.adminUrl) });
  await admin.connect();
  const database = new URL(app.config.database.url).pathname.slice(1);
  const backends = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = $1 and application_name = 'hearback'",
      [database],
    );
    return rows.map(({ pid }) => pid);
  };
  const setReadOnly = async (value: "on" | "off") => {
    await admin.query(`alter system set default_transaction_read_only = ${value}`);
    await admin.query("select pg_reload_conf()");
    // Every session, including this one, reads the new value before its next statement.
    await expect.poll(async () => (await readiness()).code, { timeout: 10_000 }).toBe(value === "on" ? 503 : 200);
  };
  try {
    expect((await invite()).status).toBe(201);
    await setReadOnly("on");
    await expect.poll(readiness).toMatchObject({ code: 503, detail: expect.stringContaining("read_only") });
    const before = await backends();
    expect(before.length).toBeGreaterThan(0);
    for (const _ of before) expect((await invite()).status).toBe(503);
    await expect.poll(async () => (await backends()).filter((pid) => before.includes(pid))).toEqual([]);
    await setReadOnly("off");
    expect((await invite()).status).toBe(201);
  } finally {
    await admin.end();
  }
});
