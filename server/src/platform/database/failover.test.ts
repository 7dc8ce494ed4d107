import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openApi } from "../../api.ts";
import { recountAll } from "../../limits/recount-usage.ts";
import { openJsonClient } from "../../testing/json-client.ts";
import { type Standby, startStandby } from "../../testing/standby.ts";
import { openTcpProxy, type TcpProxy } from "../../testing/tcp-proxy.ts";
import { openTestApp, type TestApp } from "../../testing/test-app.ts";
import { runWorker, type Worker } from "../../worker.ts";
import { type App, closeApp, openApp } from "../app.ts";
import type { Api } from "../http/server.ts";
import { enqueue } from "../queue/queue.ts";

let service: TestApp;
let standby: Standby;
let proxy: TcpProxy;
/** The same service, connected to its database through the proxy. */
let app: App;
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
  const port = /"port":(\d+),"msg":"worker ready"/.exec(service.log())?.[1];
  return (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
};

beforeAll(async () => {
  const engines = inject("engines");
  service = await openTestApp();
  const key = await service.key("manage");
  standby = await startStandby({ primaryUrl: engines.DATABASE_ADMIN_URL, dir: engines.dir });
  const { config, log } = service.app;
  proxy = await openTcpProxy(config.database.url);
  app = openApp({ ...config, database: { ...config.database, url: proxy.url(config.database.url) } }, { log });
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
});

test("a service connected to a standby is not ready, reports the reason, and recovers after the promotion", async () => {
  const { url } = service.app.config.database;
  expect(await readiness()).toEqual({ code: 200, status: "ready" });
  expect((await invite()).status).toBe(201);

  proxy.redirect(standby.url(url));
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

test("closes a connection after a write failed as read-only", async () => {
  const admin = new pg.Client({ connectionString: standby.url(inject("engines").DATABASE_ADMIN_URL) });
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
