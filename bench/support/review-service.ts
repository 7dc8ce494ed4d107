import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type pg from "pg";
import { freePort } from "../../e2e/support/stack/free-port.ts";
import { unlimited } from "../../e2e/support/stack/stack.ts";
import { type Cluster, withAdmin } from "./search/search-cluster.ts";

const run = promisify(execFile);
const server = join(import.meta.dirname, "../../server/src/main.ts");

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Runs `hearback-server …` on the database. */
  command(...args: string[]): Promise<string>;
}

interface Options {
  readonly cleanup: AsyncDisposableStack;
  readonly signal: AbortSignal;
}

/** Creates a database anew, inserts data into one workspace, and starts an API on it. */
export async function loadService<Data extends { readonly workspaceId: string }>(
  cluster: Cluster,
  name: string,
  { cleanup, signal }: Options,
  insert: (admin: pg.Client, say: (text: string) => void) => Promise<Data>,
): Promise<Data & Service> {
  await withAdmin(cluster.adminUrl("postgres"), async (admin) => {
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name} owner hearback_owner`);
  });
  const env = cluster.env(name);
  const command = async (...args: string[]) => (await run(process.execPath, [server, ...args], { env })).stdout;
  await command("migrate");
  const data = await withAdmin(cluster.adminUrl(name), async (admin) => {
    for (const setting of [
      "maintenance_work_mem = '2GB'",
      "synchronous_commit = off",
      "session_replication_role = replica",
    ])
      await admin.query(`set ${setting}`);
    return insert(admin, (text) => {
      signal.throwIfAborted();
      console.error(text);
    });
  });
  const key = ["key", "create", "--workspace", data.workspaceId, "--name", "bench", "--scope", "read", "--json"];
  const { key: apiKey } = JSON.parse(await command(...key)) as { key: string };
  const baseUrl = await startApi(env, cleanup);
  return { ...data, baseUrl, apiKey, command };
}

async function startApi(env: Record<string, string>, cleanup: AsyncDisposableStack): Promise<string> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [server, "api"], {
    env: { ...env, ...unlimited, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  cleanup.defer(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  });
  for (let isReady = false; !isReady; await sleep(50)) {
    if (child.exitCode !== null) throw new Error("the API did not start");
    isReady = await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }
  return baseUrl;
}

export const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Drops the secondary indexes of a table while `insert` runs, then creates them again. */
export async function withoutIndexes(
  admin: pg.Client,
  table: string,
  say: (text: string) => void,
  insert: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename = $1 and indexname <> $1 || '_pkey'`,
    [table],
  );
  for (const { name } of indexes) await admin.query(`drop index ${name}`);
  await insert();
  for (const { name, definition } of indexes) {
    await admin.query(definition);
    say(`index ${name}`);
  }
  await admin.query(`vacuum analyze ${table}`);
}
