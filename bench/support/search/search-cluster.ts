import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { insertMonth, insertWorkspaces, type Month, monthCount } from "./search-data.ts";

const root = join(import.meta.dirname, "../../..");
const migrations = join(root, "server/src/platform/database/migrations");
const run = promisify(execFile);

/** What the databases of a benchmark contain. */
export interface GeneratedData {
  /** Increase it whenever the data changes; existing databases are then rebuilt. */
  readonly version: number;
  readonly load: (url: string, plan: LoadPlan) => Promise<void>;
}

/** Settings without durability, for loading. After a crash, the load starts again. */
const whileLoading = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  shared_buffers: "2GB",
  work_mem: "256MB",
  maintenance_work_mem: "2GB",
  max_wal_size: "2GB",
  checkpoint_timeout: "1h",
  autovacuum: "off",
};

export interface Cluster {
  readonly dir: string;
  adminUrl(database: string): string;
  /** Environment of a service process on one of the databases. */
  env(database: string): Record<string, string>;
  /** Returns a database with this many calls in the searched workspace; creates it if necessary. */
  database(calls: number, options: { rebuild: boolean; signal: AbortSignal }): Promise<LoadedDatabase>;
}

export interface LoadedDatabase {
  readonly name: string;
  readonly calls: number;
  /** All conversations are before this time. */
  readonly end: Date;
}

interface Marker {
  readonly version: number;
  readonly calls: number;
  readonly end: string;
  readonly migrations: Readonly<Record<string, string>>;
}

/** Opens the benchmark's PostgreSQL cluster. The cluster and its databases are kept between runs. */
export async function openCluster(
  dir: string,
  cleanup: AsyncDisposableStack,
  data: GeneratedData = { version: 1, load },
): Promise<Cluster> {
  const settings = { PG_ENGINE_DIR: dir, PG_ENGINE_PORT: String(15361 + Number(process.env.PORT_OFFSET ?? 0)) };
  const dev = (...args: string[]) => run(join(root, "dev/postgres"), args, { env: { ...process.env, ...settings } });
  const { stdout } = await dev("start");
  cleanup.defer(async () => void (await dev("stop")));
  const urls = Object.fromEntries(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  const inDatabase = (name: string, database: string) =>
    Object.assign(new URL(urls[name] ?? ""), { pathname: `/${database}` }).href;
  const adminUrl = (database: string) => inDatabase("DATABASE_ADMIN_URL", database);
  const env = (database: string) => ({
    PATH: process.env.PATH ?? "",
    LOG_LEVEL: "warn",
    HOST: "127.0.0.1",
    DATABASE_URL: inDatabase("DATABASE_URL", database),
    DATABASE_OWNER_URL: inDatabase("DATABASE_OWNER_URL", database),
    STORAGE: "filesystem",
    STORAGE_DIR: join(root, ".data/bench/search", database),
  });
  const migrate = (database: string) =>
    run(process.execPath, [join(root, "server/src/main.ts"), "migrate"], { env: env(database) });

  const configure = async (lines: readonly string[]) => {
    await withAdmin(adminUrl("postgres"), async (admin) => {
      for (const line of lines) await admin.query(line);
    });
    await dev("stop");
    await dev("start");
  };

  async function database(calls: number, { rebuild, signal }: { rebuild: boolean; signal: AbortSignal }) {
    const name = `bench_${calls}`;
    const found = rebuild ? undefined : await readMarker(adminUrl("postgres"), name);
    if (found && (await isReusable(found, calls, data.version))) {
      await migrate(name);
      return { name, calls, end: new Date(found.end) };
    }
    const end = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth()));
    await configure(Object.entries(whileLoading).map(([key, value]) => `alter system set ${key} = '${value}'`));
    await withAdmin(adminUrl("postgres"), async (admin) => {
      await admin.query(`drop database if exists ${name}`);
      await admin.query(`create database ${name} owner hearback_owner`);
    });
    await migrate(name);
    await data.load(adminUrl(name), { calls, end, signal });
    const marker: Marker = { version: data.version, calls, end: end.toISOString(), migrations: await digests() };
    // Mark it as complete only after durability is restored.
    await configure(["checkpoint", "alter system reset all"]);
    await withAdmin(adminUrl("postgres"), (admin) =>
      admin.query(`comment on database ${name} is ${admin.escapeLiteral(JSON.stringify(marker))}`),
    );
    return { name, calls, end };
  }
  return { dir, adminUrl, env, database };
}

export async function withAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function readMarker(url: string, name: string): Promise<Marker | undefined> {
  const { rows } = await withAdmin(url, (admin) =>
    admin.query<{ marker: string | null }>(
      "select shobj_description(oid, 'pg_database') as marker from pg_database where datname = $1",
      [name],
    ),
  );
  return rows[0]?.marker ? (JSON.parse(rows[0].marker) as Marker) : undefined;
}

/** SHA-256 of each migration, by name. */
async function digests(): Promise<Record<string, string>> {
  const names = (await readdir(migrations)).filter((name) => name.endsWith(".sql")).sort();
  const digestOf = async (name: string) =>
    createHash("sha256")
      .update(await readFile(join(migrations, name)))
      .digest("hex");
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digestOf(name)] as const)));
}

/** New migrations are applied; a changed or removed one requires a rebuild. */
async function isReusable(
  { version, calls, migrations }: Marker,
  wanted: number,
  wantedVersion: number,
): Promise<boolean> {
  const now = await digests();
  const same = Object.entries(migrations).every(([name, digest]) => now[name] === digest);
  return version === wantedVersion && calls === wanted && same;
}

export interface LoadPlan {
  readonly calls: number;
  readonly end: Date;
  readonly signal: AbortSignal;
}

async function load(url: string, plan: LoadPlan): Promise<void> {
  // Five of six calls are in the searched workspace.
  await loadMonths(url, { ...plan, calls: (plan.calls / 5) * 6 }, insertMonth);
}

/** Loads all months, two at a time. */
export async function loadMonths(
  url: string,
  { calls, end, signal }: LoadPlan,
  insert: (admin: pg.Client, month: Month) => Promise<void>,
): Promise<void> {
  await withAdmin(url, insertWorkspaces);
  if (calls === 0) return;
  const month = (index: number) => new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - monthCount + index));
  const perMonth = Math.ceil(calls / monthCount);
  const months: Month[] = Array.from({ length: monthCount }, (_, index) => ({
    index,
    start: month(index),
    end: month(index + 1),
    calls: perMonth,
  }));
  // Add all partitions first, because adding one waits for writers of others.
  await withAdmin(url, async (admin) => {
    for (const { start } of months) await admin.query("select add_call_month($1)", [start]);
  });
  const worker = () =>
    withAdmin(url, async (admin) => {
      for (let next = months.shift(); next; next = months.shift()) {
        signal.throwIfAborted();
        await insert(admin, next);
        console.error(`${new Date().toISOString()} loaded month ${next.index + 1} of ${monthCount}`);
      }
    });
  await Promise.all([worker(), worker()]);
  await withAdmin(url, (admin) => admin.query("analyze"));
}
