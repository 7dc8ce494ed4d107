import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../../support/waiting.ts";
import { type ArchivedCluster, startArchivedCluster } from "./archived-cluster.ts";
import { readCodeBlocks, withReplacements } from "./document.ts";

const run = promisify(execFile);

/** A PostgreSQL cluster that pgBackRest backs up, set up as the document says. */
export interface BackedUpCluster {
  readonly cluster: ArchivedCluster;
  /** Runs a line of the document, with the paths of this cluster. */
  shell(line: string): Promise<string>;
  /** The lines that create the repository, check it and make a full backup. */
  readonly commands: readonly string[];
  /** Waits until everything that is committed now is in the archive. */
  archiveNow(): Promise<void>;
  stop(): Promise<void>;
}

const heading = "### The database with pgBackRest";

export async function startBackedUpCluster(): Promise<BackedUpCluster> {
  const [ini, settings, commands] = await readCodeBlocks("backup-and-upgrade.md", heading);
  if (!ini || !settings || !commands) throw new Error(`"${heading}" must have three code blocks`);
  // The user postgres writes to it.
  const folder = await mkdtemp("/var/tmp/hearback-pgbackrest-");
  await chmod(folder, 0o777);
  const variables = {
    PGBACKREST_CONFIG: join(folder, "pgbackrest.conf"),
    PGBACKREST_LOG_PATH: folder,
    PGBACKREST_LOCK_PATH: folder,
  };
  const cluster = await startArchivedCluster(variables);
  const replacements = {
    "/var/lib/pgbackrest": join(folder, "repository"),
    "/var/lib/postgresql/15/main": cluster.data,
  };
  const replaced = (line: string) => withReplacements(line, replacements);
  const stop = async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await writeFile(variables.PGBACKREST_CONFIG, ini.lines.map(replaced).join("\n"));
    await cluster.configure(...settings.lines);
  } catch (error) {
    await stop();
    throw error;
  }
  const env = {
    ...process.env,
    ...variables,
    PGBACKREST_PG1_PORT: String(cluster.port),
    PGBACKREST_PG1_SOCKET_PATH: cluster.socket,
    PGHOST: cluster.socket,
    PGPORT: String(cluster.port),
  };
  const shell = async (line: string) => {
    // The user postgres may not have access to the current folder.
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", replaced(line)], { env, cwd: "/" });
    return stdout;
  };
  return {
    cluster,
    shell,
    commands: commands.lines,
    async archiveNow() {
      const [wal] = await cluster.query<{ file: string }>("select pg_walfile_name(pg_switch_wal()) as file");
      await until(
        "the WAL is archived",
        30_000,
        async () => {
          const [last] = await cluster.query<{ file: string }>(
            "select last_archived_wal as file from pg_stat_archiver",
          );
          return (last?.file ?? "") >= (wal?.file ?? "~");
        },
        100,
      );
    },
    stop,
  };
}
