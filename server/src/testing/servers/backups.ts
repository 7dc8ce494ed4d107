import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { inDatabase } from "./engines.ts";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
const script = join(import.meta.dirname, "../../../../dev/postgres");

/** A separate PostgreSQL cluster, started by dev/postgres on a free port. */
export interface Cluster {
  readonly serviceUrl: string;
  readonly ownerUrl: string;
  readonly adminUrl: string;
  /** Data folder, owned by the user that runs PostgreSQL. `stop` removes it. */
  readonly dir: string;
  stop(): Promise<void>;
}

export interface Backup {
  /** Waits until the WAL archive contains everything that was written before. */
  archiveWal(): Promise<void>;
  /** Recovers a copy of the backup to a restore point and promotes it. */
  recover(restorePoint: string): Promise<Cluster>;
  /** Starts an unchanged copy of the backup, like a restored volume snapshot: same cluster, same timeline. */
  startSnapshot(): Promise<Cluster>;
}

/** PostgreSQL refuses to run as root, so root switches to the user of Debian's package. */
async function asPostgres(command: string, ...args: string[]): Promise<void> {
  const root = process.getuid?.() === 0;
  const [file, given] = root
    ? ["setpriv", ["--reuid=postgres", "--regid=postgres", "--init-groups", command, ...args]]
    : [command, args];
  await run(file, given, { cwd: "/" });
}

async function bin(name: string): Promise<string> {
  const versions = (await readdir("/usr/lib/postgresql")).sort((a, b) => Number(a) - Number(b));
  return join("/usr/lib/postgresql", versions.at(-1) ?? "", "bin", name);
}

async function start(engineDir: string): Promise<Cluster> {
  const env = { ...process.env, PG_ENGINE_DIR: engineDir, PG_ENGINE_PORT: String(await freePort()) };
  const { stdout } = await run(script, ["start"], { env });
  const urls = Object.fromEntries(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s)),
  );
  // dev/postgres uses another folder if PostgreSQL's user cannot access this one.
  const [row] = await query(urls.DATABASE_ADMIN_URL, "show data_directory");
  return {
    serviceUrl: urls.DATABASE_URL,
    ownerUrl: urls.DATABASE_OWNER_URL,
    adminUrl: urls.DATABASE_ADMIN_URL,
    dir: dirname(String(row?.data_directory)),
    async stop() {
      await run(script, ["stop", "--immediate", "--wipe"], { env });
    },
  };
}

async function query(adminUrl: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: inDatabase(adminUrl, "postgres") });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const newEngineDir = (parent: string) => join(parent, `c-${randomUUID().slice(0, 8)}`);

/** Creates a cluster. */
export const startCluster = (parent: string): Promise<Cluster> => start(newEngineDir(parent));

/** Creates a cluster that archives its WAL. */
export async function startArchivingCluster(parent: string): Promise<Cluster> {
  const engineDir = newEngineDir(parent);
  const first = await start(engineDir);
  try {
    const archive = join(first.dir, "archive");
    await asPostgres("mkdir", archive);
    await query(first.adminUrl, "alter system set archive_mode = on");
    await query(first.adminUrl, `alter system set archive_command = 'cp "%p" "${archive}/%f"'`);
    await run(script, ["stop"], { env: { ...process.env, PG_ENGINE_DIR: engineDir } });
    return await start(engineDir);
  } catch (error) {
    await first.stop();
    throw error;
  }
}

async function waitFor(adminUrl: string, condition: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if ((await query(adminUrl, `select ${condition} as done`))[0]?.done) return;
    await sleep(100);
  }
  throw new Error(`timed out after 60 s waiting for: ${condition}`);
}

/** Takes a base backup of an archiving cluster. */
export async function takeBackup(cluster: Cluster): Promise<Backup> {
  const backup = join(cluster.dir, `backup-${randomUUID().slice(0, 8)}`);
  const port = new URL(cluster.adminUrl).port;
  const source = ["-h", "127.0.0.1", "-p", port, "-U", "postgres", "-X", "stream", "-c", "fast"];
  await asPostgres(await bin("pg_basebackup"), "-D", backup, ...source);

  async function copy(settings: Readonly<Record<string, string>>): Promise<string> {
    const dir = join(cluster.dir, `copy-${randomUUID().slice(0, 8)}`);
    await asPostgres("mkdir", dir);
    await asPostgres("cp", "-a", backup, join(dir, "data"));
    // No Unix socket: its path would be too long here.
    const own = { archive_mode: "off", unix_socket_directories: "", ...settings };
    const lines = Object.entries(own).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
    // The last value of a setting wins.
    await appendFile(join(dir, "data/postgresql.auto.conf"), lines.join(""));
    // dev/postgres creates a new cluster if this file is missing.
    await asPostgres("touch", join(dir, "made"));
    return dir;
  }

  return {
    async archiveWal() {
      const [row] = await query(cluster.adminUrl, "select pg_walfile_name(pg_switch_wal()) as name");
      await waitFor(cluster.adminUrl, `(select last_archived_wal >= '${row?.name}' from pg_stat_archiver)`);
    },
    async recover(restorePoint) {
      const dir = await copy({
        restore_command: `cp "${cluster.dir}/archive/%f" "%p"`,
        recovery_target_name: restorePoint,
        recovery_target_action: "promote",
      });
      await asPostgres("touch", join(dir, "data/recovery.signal"));
      const recovered = await start(dir);
      await waitFor(recovered.adminUrl, "not pg_is_in_recovery()");
      return recovered;
    },
    startSnapshot: async () => start(await copy({})),
  };
}
