import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { insertMonth, insertPeople, type Month, monthCount } from "./search-data.ts";

const root = join(import.meta.dirname, "../..");
const migrations = join(root, "server/src/platform/database/migrations");
const run = promisify(execFile);

/** Changed whenever the data are made in another way: what is there is then made anew. */
const dataVersion = 1;

/** Nothing is durable while it is loaded: should the machine stop, the load is begun again. */
const whileLoading = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  shared_buffers: "2GB",
  work_mem: "256MB",
  maintenance_work_mem: "512MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "1h",
  autovacuum: "off",
};

export interface Cluster {
  readonly dir: string;
  adminUrl(database: string): string;
  /** The environment of a process of the service on one of the databases. */
  env(database: string): Record<string, string>;
  /** A database with so many calls in the searched workspace, made if it is not there. */
  database(calls: number, options: { rebuild: boolean; signal: AbortSignal }): Promise<LoadedDatabase>;
}

export interface LoadedDatabase {
  readonly name: string;
  readonly calls: number;
  /** All conversations are before this. */
  readonly end: Date;
}

interface Marker {
  readonly version: number;
  readonly calls: number;
  readonly end: string;
  readonly migrations: Readonly<Record<string, string>>;
}

/** The PostgreSQL cluster of the bench. It is kept, and so are its databases. */
export async function openCluster(dir: string, cleanup: AsyncDisposableStack): Promise<Cluster> {
  const settings = { PG_ENGINE_DIR: dir, PG_ENGINE_PORT: String(54361 + Number(process.env.PORT_OFFSET ?? 0)) };
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
    ...{ PATH: process.env.PATH ?? "", LOG_LEVEL: "warn", HOST: "127.0.0.1" },
    ...{ DATABASE_URL: inDatabase("DATABASE_URL", database) },
    ...{ DATABASE_OWNER_URL: inDatabase("DATABASE_OWNER_URL", database) },
    ...{ STORAGE: "filesystem", STORAGE_DIR: join(root, ".data/bench/search", database) },
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
    if (found && (await canBeKept(found, calls))) {
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
    await load(adminUrl(name), { calls, end, signal });
    const marker: Marker = { version: dataVersion, calls, end: end.toISOString(), migrations: await digests() };
    // Durable again, and only then complete.
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

/** The digest of each migration, by its name. */
async function digests(): Promise<Record<string, string>> {
  const names = (await readdir(migrations)).filter((name) => name.endsWith(".sql")).sort();
  const digestOf = async (name: string) =>
    createHash("sha256")
      .update(await readFile(join(migrations, name)))
      .digest("hex");
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digestOf(name)] as const)));
}

/** Migrations that came since are run; one that changed, or is not there any more, means another schema. */
async function canBeKept({ version, calls, migrations }: Marker, wanted: number): Promise<boolean> {
  const now = await digests();
  const same = Object.entries(migrations).every(([name, digest]) => now[name] === digest);
  return version === dataVersion && calls === wanted && same;
}

interface LoadPlan {
  readonly calls: number;
  readonly end: Date;
  readonly signal: AbortSignal;
}

/** All months, two at a time. */
async function load(url: string, { calls, end, signal }: LoadPlan): Promise<void> {
  await withAdmin(url, insertPeople);
  if (calls === 0) return;
  const month = (index: number) => new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - monthCount + index));
  const perMonth = Math.ceil(((calls / 5) * 6) / monthCount);
  const months: Month[] = Array.from({ length: monthCount }, (_, index) => ({
    ...{ index, start: month(index), end: month(index + 1), calls: perMonth },
  }));
  // All of them first: adding one waits for whoever writes another.
  await withAdmin(url, async (admin) => {
    for (const { start } of months) await admin.query("select add_call_month($1)", [start]);
  });
  const lane = () =>
    withAdmin(url, async (admin) => {
      for (let next = months.shift(); next; next = months.shift()) {
        signal.throwIfAborted();
        await insertMonth(admin, next);
        console.error(`${new Date().toISOString()} loaded month ${next.index + 1} of ${monthCount}`);
      }
    });
  await Promise.all([lane(), lane()]);
  await withAdmin(url, (admin) => admin.query("analyze"));
}
