import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { until } from "../e2e/support/waiting.ts";
import { type Cluster, type LoadedDatabase, openCluster, withAdmin } from "./support/search/search-cluster.ts";
import { campaignId, searched, workspaces } from "./support/search/search-data.ts";
import { startService } from "./support/search/search-service.ts";

const run = promisify(execFile);
const server = join(import.meta.dirname, "../server/src/main.ts");
const defaultCalls = 10_000_000;
const maxStatementMs = 1_000;
/** Its calls may be deleted; the other benchmarks use the first workspace. */
const expiring = workspaces[1] ?? "";

const usage = `npm run bench -- large-workspace [--json] [--calls N] [--dir DIR]

Runs the operations that process all calls of a workspace, on the database of the "search" benchmark: recounting usage and
imports, the import summary, an erasure preview, a dry run of retention, and the retention of one month's calls of a
campaign. Prints the duration of each and of its slowest statement. Fails if a statement takes ${maxStatementMs} ms or more.

  --json   also print the results as JSON, in the last line
  --calls  number of calls of the workspace; default ${defaultCalls.toLocaleString("en")}
  --dir    location of the database; default /var/tmp/hearback-bench-search`;

interface Figure {
  readonly name: string;
  readonly seconds: number;
  readonly statements: number;
  readonly slowestMs: number;
}

export async function benchLargeWorkspace(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      calls: { type: "string", default: String(defaultCalls) },
      dir: { type: "string", default: "/var/tmp/hearback-bench-search" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.error(usage);
    return 0;
  }
  await using cleanup = new AsyncDisposableStack();
  const cluster = await openCluster(values.dir, cleanup);
  const database = await cluster.database(Number(values.calls), { rebuild: false, signal });
  const figures: Figure[] = [];
  const measure = async (name: string, work: () => Promise<unknown>) => {
    figures.push(await measured(cluster, database, name, work));
    const { seconds, statements, slowestMs } = figures.at(-1) as Figure;
    console.log(`${name}: ${seconds.toFixed(1)} s, ${statements} statements, the slowest ${slowestMs.toFixed(0)} ms`);
  };
  await forgetCounts(cluster, database);
  await logStatements(cluster, database, cleanup);
  const service = await startService(cluster, database, cleanup);
  await measure("recount of usage and imports", () => recount(cluster, database));
  const manage = await manageKey(cluster, database);
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": manage, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  await measure("import summary of 31 days", () => ask("/imports/summary?days=31"));
  const site = { key: "site", value: searched.site };
  await measure("preview of an erasure", () => ask("/erasures/preview", { metadata: site }));
  const expire = (...more: string[]) =>
    run(process.execPath, [server, "call", "expire", "--workspace", ...more], { env: cluster.env(database.name) });
  await keepCalls(cluster, database, searched.workspaceId, 30);
  await measure("dry run of a retention", () => expire(searched.workspaceId, "--dry-run"));
  await keepCalls(cluster, database, searched.workspaceId, null);
  await keepCalls(cluster, database, expiring, await daysToFirstMonth(cluster, database));
  await measure("retention", () => expire(expiring));
  await keepCalls(cluster, database, expiring, null);
  if (values.json) {
    console.log(
      JSON.stringify(Object.fromEntries(figures.map(({ name, slowestMs }) => [name, Math.round(slowestMs)]))),
    );
  }
  const slow = figures.filter(({ slowestMs }) => slowestMs >= maxStatementMs);
  if (slow.length > 0) throw new Error(`a statement takes too long: ${slow.map(({ name }) => name).join(", ")}`);
  return 0;
}

const inDatabase = <T>(cluster: Cluster, { name }: LoadedDatabase, text: string, values: unknown[] = []) =>
  withAdmin(cluster.adminUrl(name), async (admin) => (await admin.query(text, values)).rows as T[]);

/** Resets the counters, as after an upgrade from a release without them. */
async function forgetCounts(cluster: Cluster, database: LoadedDatabase): Promise<void> {
  await inDatabase(cluster, database, "delete from workspace_usage");
  await inDatabase(cluster, database, "truncate import_count, import_delta");
}

/** Makes PostgreSQL log the duration of every statement of the service. */
async function logStatements(cluster: Cluster, database: LoadedDatabase, cleanup: AsyncDisposableStack): Promise<void> {
  const role = `alter role hearback_service in database ${database.name}`;
  await inDatabase(cluster, database, `${role} set log_min_duration_statement = 0`);
  cleanup.defer(async () => void (await inDatabase(cluster, database, `${role} reset all`)));
}

async function measured(
  cluster: Cluster,
  { name: database }: LoadedDatabase,
  name: string,
  work: () => Promise<unknown>,
): Promise<Figure> {
  const log = join(cluster.dir, "log");
  const { size } = await stat(log);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  await using file = await open(log);
  let [statements, slowestMs] = [0, 0];
  for await (const line of file.readLines({ start: size })) {
    const [, ms] = /duration: ([\d.]+) ms/.exec(line) ?? [];
    if (!ms) continue;
    statements += 1;
    slowestMs = Math.max(slowestMs, Number(ms));
  }
  if (statements === 0) throw new Error(`no statement of ${database} was logged`);
  return { name, seconds, statements, slowestMs };
}

/** Starts a worker, which recounts at startup, and waits until it is done. */
async function recount(cluster: Cluster, database: LoadedDatabase): Promise<void> {
  const worker = spawn(process.execPath, [server, "worker"], {
    env: { ...cluster.env(database.name), WORKER_PORT: "0" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await until(
      "all calls are counted",
      600_000,
      async () => {
        const rows = await inDatabase<{ calls: number }>(
          cluster,
          database,
          "select calls::int from workspace_usage where workspace_id = $1 and counted_at is not null and imports_counted_at is not null",
          [searched.workspaceId],
        );
        if (rows[0] && rows[0].calls < database.calls * 0.99) throw new Error(`${rows[0].calls} calls were counted`);
        return rows.length > 0;
      },
      200,
    );
  } finally {
    worker.kill("SIGTERM");
    if (worker.exitCode === null) await once(worker, "exit");
  }
}

async function manageKey(cluster: Cluster, { name }: LoadedDatabase): Promise<string> {
  const scopes = ["--scope", "read", "manage"];
  const args = ["key", "create", "--workspace", searched.workspaceId, "--name", "bench", ...scopes, "--json"];
  const { stdout } = await run(process.execPath, [server, ...args], { env: cluster.env(name) });
  return (JSON.parse(stdout) as { key: string }).key;
}

/** Sets the retention of the workspace's first campaign. */
async function keepCalls(cluster: Cluster, database: LoadedDatabase, workspaceId: string, days: number | null) {
  await inDatabase(cluster, database, "update campaign set retention_days = $3 where workspace_id = $1 and id = $2", [
    workspaceId,
    campaignId(0),
    days,
  ]);
}

/** The retention in days that expires one month of the campaign's calls. */
async function daysToFirstMonth(cluster: Cluster, database: LoadedDatabase): Promise<number> {
  const rows = await inDatabase<{ days: number }>(
    cluster,
    database,
    "select extract(day from now() - min(happened_at))::int - 30 as days from call where workspace_id = $1 and campaign_id = $2",
    [expiring, campaignId(0)],
  );
  return rows[0]?.days ?? 1;
}
