import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { alive, childrenOf } from "../../support/measuring/machine.ts";
import { freePort } from "../../support/stack/free-port.ts";
import { until } from "../../support/waiting.ts";
import { type Daemon, startDaemon } from "./daemon.ts";

/** A member of the cluster, as Patroni reports it. */
export interface Member {
  readonly name: string;
  readonly role: "leader" | "replica" | "sync_standby";
  readonly state: string;
}

/** A database machine: Patroni and the PostgreSQL that it runs. */
export interface PatroniNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  /** Starts Patroni, which starts PostgreSQL. Does nothing if Patroni is running. */
  start(): void;
  isPrimary(): Promise<boolean>;
  members(): Promise<readonly Member[]>;
  /** Sends a signal to every process of PostgreSQL, and with `machine` also to Patroni. */
  signal(what: "postgres" | "machine", signal: "SIGKILL" | "SIGSTOP"): Promise<void>;
  log(): string;
}

export const passwords = { superuser: "superuser", replication: "replication", rewind: "rewind" };

/** A machine that is not started yet. Its data is in a subfolder of `folder`. */
export async function createNode(
  name: string,
  { folder, configuration, etcdPort, bin }: { folder: string; configuration: string; etcdPort: number; bin: string },
): Promise<PatroniNode> {
  const [port, restPort] = [await freePort(), await freePort()];
  const data = join(folder, name);
  const env = {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_BIN_DIR: bin,
    PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
    PATRONI_SUPERUSER_USERNAME: "postgres",
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_USERNAME: "replicator",
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
    PATRONI_REWIND_USERNAME: "rewinder",
    PATRONI_REWIND_PASSWORD: passwords.rewind,
  };
  let patroni: Daemon | undefined;
  let earlierLog = "";
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${restPort}${path}`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
  const postmaster = async () => {
    const file = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
    return Number(file.split("\n")[0]);
  };

  return {
    name,
    port,
    restPort,
    start() {
      if (patroni?.isRunning()) return;
      earlierLog += patroni?.log() ?? "";
      patroni = startDaemon("patroni", [configuration], env);
    },
    isPrimary: async () => (await ask("/primary"))?.status === 200,
    async members() {
      const answer = await ask("/cluster");
      return answer?.ok ? ((await answer.json()) as { members: Member[] }).members : [];
    },
    async signal(what, signal) {
      const parents = [await postmaster(), ...(what === "machine" && patroni ? [patroni.pid] : [])].filter(Boolean);
      const children = await Promise.all(parents.map(childrenOf));
      // Parents first: the postmaster must not replace or report a process that ends before it.
      const pids = [...parents, ...children.flat().map(({ pid }) => pid)].filter(alive);
      for (const pid of pids) process.kill(pid, signal);
      if (signal === "SIGKILL")
        await until("the processes ended", 10_000, () => pids.every((pid) => !alive(pid) || pid === patroni?.pid));
    },
    log: () => earlierLog + (patroni?.log() ?? ""),
  };
}
