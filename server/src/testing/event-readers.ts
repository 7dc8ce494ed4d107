import { randomUUID } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { expect } from "vitest";
import { createApiKey } from "../access/keys/create-api-key.ts";
import { openApi } from "../api.ts";
import { handlers } from "../handlers.ts";
import { migrateAll } from "../migrate-all.ts";
import { operatorIn } from "../platform/actor.ts";
import { type App, closeApp, openApp } from "../platform/app.ts";
import { readConfig } from "../platform/config.ts";
import { fanOutEvents } from "../webhooks/deliver/fan-out-events.ts";
import { createWebhook } from "../webhooks/endpoint/create-webhook.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";

/** Opens the service on its own database. */
export async function openService({
  serviceUrl,
  adminUrl,
  dir,
}: {
  serviceUrl: string;
  adminUrl: string;
  dir: string;
}) {
  const config = readConfig({ DATABASE_URL: serviceUrl, STORAGE: "filesystem", STORAGE_DIR: dir });
  const app = openApp(config, { log: pino({ level: "silent" }), handlers: async () => handlers });
  const api = await openApi(app);
  const admin = new pg.Pool({ connectionString: adminUrl, max: 8 });
  // A stopped server closes idle connections.
  admin.on("error", () => {});
  return {
    app,
    api,
    admin,
    migrate: (ownerUrl: string) => migrateAll(app, ownerUrl),
    async close() {
      await api.close();
      await closeApp(app);
      await admin.end();
    },
  };
}
type Service = Awaited<ReturnType<typeof openService>>;

/** Creates a workspace with a key that reads events and a webhook for all of them. */
export async function prepareReading(app: App) {
  const workspace = await createWorkspace(app, "Acme");
  const by = operatorIn(workspace.id);
  const { key } = await createApiKey(app, by, { name: "reader", scopes: ["read"] });
  await createWebhook(app, by, { url: "https://example.com/hook", description: "", types: [] });
  return { workspaceId: workspace.id, key };
}

/** Adds events concurrently, each in its own transaction. Returns their subjects. */
export async function addEvents({ admin }: Service, workspaceId: string, count: number): Promise<string[]> {
  const subjects = Array.from({ length: count }, () => randomUUID());
  const insert = "insert into event (workspace_id, type, data) values ($1, 'user.created', $2)";
  await Promise.all(subjects.map((id) => admin.query(insert, [workspaceId, JSON.stringify({ user_id: id })])));
  return subjects;
}

/** Subjects of the stored events, in order. */
export async function storedEvents({ admin }: Service, workspaceId: string): Promise<string[]> {
  const all = "select data->>'user_id' as subject from event where workspace_id = $1 order by epoch, xid, seq";
  return (await admin.query<{ subject: string }>(all, [workspaceId])).rows.map(({ subject }) => subject);
}

/** A client that keeps its cursor and all events it received, across restores. */
export function openReader({ workspaceId, key }: { workspaceId: string; key: string }) {
  const seen = new Map<string, string>();
  let after: string | undefined;
  return {
    workspaceId,
    async read({ api }: Service): Promise<string[]> {
      const subjects: string[] = [];
      for (let more = true; more; ) {
        const url = `/events?limit=50${after ? `&cursor=${after}` : ""}`;
        const answer = await api.inject({ method: "GET", url, headers: { "x-api-key": key } });
        expect(answer.statusCode, answer.body).toBe(200);
        const page = answer.json();
        for (const { id, data } of page.events) {
          expect(seen.has(id), `id ${id} is returned once`).toBe(false);
          seen.set(id, data.user_id);
          subjects.push(data.user_id);
        }
        ({ next: after, more } = page);
      }
      return subjects;
    },
  };
}

/** Expects exactly one delivery per event. */
async function expectOneDeliveryEach({ app, admin }: Service): Promise<void> {
  await fanOutEvents(app);
  const { rows } = await admin.query<{ count: number }>(
    `select count(d.id)::int as count from event e left join webhook_delivery d
       on (d.workspace_id, d.event_epoch, d.event_xid, d.event_seq) = (e.workspace_id, e.epoch, e.xid, e.seq)
     group by e.workspace_id, e.epoch, e.xid, e.seq`,
  );
  expect(rows.filter(({ count }) => count !== 1)).toEqual([]);
}

/** Expects the reader to get exactly these events in database order, and the webhook each of them once. */
export async function expectAllRead(service: Service, reader: ReturnType<typeof openReader>, written: string[]) {
  const read = await reader.read(service);
  expect(read.length, "events read").toBe(written.length);
  expect(read, "in the order of the database").toEqual(
    (await storedEvents(service, reader.workspaceId)).slice(-written.length),
  );
  expect(new Set(read)).toEqual(new Set(written));
  await expectOneDeliveryEach(service);
}
