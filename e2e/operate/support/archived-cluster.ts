import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { parseSettings } from "../../support/parse-settings.ts";
import type { DatabaseUrls } from "../../support/stack/environment.ts";
import { freePort } from "../../support/stack/free-port.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../../..");

/** A PostgreSQL cluster of its own, whose WAL can be archived. */
export interface ArchivedCluster {
  readonly env: DatabaseUrls;
  /** Folder of this cluster, which also the user postgres can enter. */
  readonly folder: string;
  /** PostgreSQL's data folder. */
  readonly data: string;
  readonly port: number;
  /** Folder of the socket. */
  readonly socket: string;
  /** Adds lines to postgresql.conf and restarts. */
  configure(...lines: string[]): Promise<void>;
  query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>;
  /** Makes a base backup with pg_basebackup. */
  backUp(name: string): Promise<void>;
  /** Folder of the archived WAL files. */
  readonly archive: string;
  start(): Promise<void>;
  /** Stops PostgreSQL like a crash, without a checkpoint. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** `variables` are set for PostgreSQL, and so for its archive_command. */
export async function startArchivedCluster(variables: Record<string, string> = {}): Promise<ArchivedCluster> {
  // PostgreSQL's own user must reach it.
  const folder = await mkdtemp("/var/tmp/hearback-archive-");
  await chmod(folder, 0o755);
  const port = await freePort();
  const cluster = join(folder, "cluster");
  const settings = { ...process.env, ...variables, PG_ENGINE_DIR: cluster, PG_ENGINE_PORT: String(port) };
  const postgres = async (...args: string[]) => {
    const { stdout } = await run(join(repository, "dev/postgres"), args, { env: settings });
    return stdout;
  };
  const env = parseSettings(await postgres("start")) as DatabaseUrls;
  const archive = join(folder, "archive");
  await mkdir(archive);
  await chmod(archive, 0o777);
  await mkdir(join(folder, "backups"));
  return {
    env,
    folder,
    data: join(cluster, "data"),
    port,
    socket: join(cluster, "run"),
    archive,
    async configure(...lines) {
      await appendFile(join(cluster, "data/postgresql.conf"), `${lines.join("\n")}\n`);
      await postgres("stop");
      await postgres("start");
    },
    async query(statement) {
      const client = new pg.Client(env.DATABASE_ADMIN_URL);
      await client.connect();
      const { rows } = await client.query(statement).finally(() => client.end());
      return rows;
    },
    async backUp(name) {
      const target = join(folder, "backups", name);
      await run("pg_basebackup", ["-D", target, "-X", "none", "-c", "fast", "-d", env.DATABASE_ADMIN_URL]);
    },
    start: async () => void (await postgres("start")),
    crash: async () => void (await postgres("stop", "--immediate")),
    async stop() {
      await postgres("stop", "--wipe");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
