import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, inject } from "vitest";
import { createApiKey } from "../access/keys/create-api-key.ts";
import { openApi } from "../api.ts";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { handlers } from "../handlers.ts";
import { operatorIn, type WorkspaceActor } from "../platform/actor.ts";
import { type App, closeApp, openApp } from "../platform/app.ts";
import type { KeyCaller, Scope } from "../platform/caller.ts";
import { readConfig } from "../platform/config.ts";
import type { Api } from "../platform/http/server.ts";
import { inviteUser } from "../users/invite-user.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { inDatabase, templateDatabase } from "./servers/engines.ts";

export interface TestApp {
  readonly app: App;
  readonly api: Api;
  readonly caller: KeyCaller;
  readonly campaignId: string;
  readonly agentEmail: string;
  /** Creates a key with these scopes. */
  key(...scopes: Scope[]): Promise<string>;
  /** Creates a key with every scope, restricted to these campaigns. */
  restrictedKey(...campaignIds: string[]): Promise<string>;
  /** Creates another workspace and returns its operator. */
  anotherWorkspace(): Promise<WorkspaceActor>;
  /** Superuser connection, which bypasses row-level security. */
  readonly admin: pg.Pool;
  readonly ownerUrl: string;
  /** Keys of all stored objects. */
  storedFiles(): Promise<string[]>;
  /** The service's log so far. */
  log(): string;
}

/** Opens a complete service for a test file: database, storage folder, workspace, campaign and agent. */
export async function openTestApp(settings: Record<string, string> = {}, parts: Partial<App> = {}): Promise<TestApp> {
  const engines = inject("engines");
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  const setup = new pg.Client({ connectionString: engines.DATABASE_ADMIN_URL });
  await setup.connect();
  await setup.query(`create database ${database} template ${templateDatabase} owner hearback_owner`);
  await setup.end();

  const root = join(engines.dir, "files", database);
  await mkdir(root, { recursive: true });
  let logged = "";
  const log = pino({ level: "info", base: null }, { write: (line: string) => (logged += line) });
  const config = readConfig({
    DATABASE_URL: inDatabase(engines.DATABASE_URL, database),
    STORAGE: "filesystem",
    STORAGE_DIR: root,
    SCRATCH_DIR: join(tmpdir(), database),
    WORKER_PORT: "0",
    // Effectively unlimited. Tests of the limits set their own values.
    LIMIT_KEY_REQUESTS_PER_SECOND: "100000",
    LIMIT_WORKSPACE_REQUESTS_PER_SECOND: "100000",
    LIMIT_WORKSPACE_IMPORTS_PER_SECOND: "100000",
    LIMIT_WORKSPACE_NEW_MONTHS_PER_DAY: "1000",
    ...settings,
  });
  const app = openApp(config, { log, handlers: async () => handlers, ...parts });
  const api = await openApi(app);
  const admin = new pg.Pool({ connectionString: inDatabase(engines.DATABASE_ADMIN_URL, database), max: 2 });
  afterAll(async () => {
    await api.close();
    await closeApp(app);
    await admin.end();
    await rm(app.config.media.scratchDir, { recursive: true, force: true });
  });

  const workspace = await createWorkspace(app, "Acme");
  const by = operatorIn(workspace.id);
  const campaign = await createCampaign(app, by, { id: "support-fr", name: "Support" });
  const agent = { email: "ann@example.com", name: "Ann Lee", role: "agent", sendInvitation: false } as const;
  await inviteUser(app, by, agent);
  return {
    app,
    api,
    caller: {
      kind: "key",
      workspaceId: workspace.id,
      keyId: randomUUID(),
      scopes: ["import"],
      campaignIds: null,
      agentId: null,
    },
    campaignId: campaign.id,
    agentEmail: agent.email,
    key: async (...scopes) => (await createApiKey(app, by, { name: "test", scopes })).key,
    async restrictedKey(...campaignIds) {
      const scopes = ["import", "read", "review", "manage"] as const;
      return (await createApiKey(app, by, { name: "restricted", scopes, campaignIds })).key;
    },
    anotherWorkspace: async () => operatorIn((await createWorkspace(app, "Other")).id),
    admin,
    ownerUrl: inDatabase(engines.DATABASE_OWNER_URL, database),
    async storedFiles() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    },
    log: () => logged,
  };
}
