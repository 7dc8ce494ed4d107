import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../../support/stack/free-port.ts";
import { until } from "../../support/waiting.ts";
import { asPostgres, type Daemon, startDaemon } from "./daemon.ts";
import { createNode, type PatroniNode, passwords } from "./patroni-node.ts";

const run = promisify(execFile);
const deploy = join(import.meta.dirname, "../../../deploy");

/**
 * How the primary fails. `postgres`: its processes are killed, Patroni keeps running. `machine`: everything is killed, and the
 * kernel closes its connections. `silence`: everything stops without closing connections, as when a machine loses power.
 */
export type Failure = "postgres" | "machine" | "silence";

/** Seconds, as in the `dcs` section of deploy/patroni.yaml. */
export type Timeouts = Readonly<Record<"ttl" | "loop_wait" | "retry_timeout", number>>;

/** Two PostgreSQL nodes under Patroni with synchronous replication, behind HAProxy: deploy/patroni.yaml, deploy/haproxy.cfg. */
export interface PatroniCluster {
  /** URLs through HAProxy. */
  readonly env: Readonly<Record<"DATABASE_URL" | "DATABASE_OWNER_URL" | "DATABASE_ADMIN_URL", string>>;
  /** Port of HAProxy. */
  readonly port: number;
  /** Makes the primary fail and waits for the promotion of the other node. Returns the times (Date.now()) of both. */
  fail(how: Failure): Promise<{ readonly failedAt: number; readonly promotedAt: number }>;
  /** Starts the failed node again, unless its Patroni is running, and waits until it is the synchronous standby. */
  rejoin(): Promise<void>;
  /** Exchanges the roles with `patronictl switchover`. Returns the times of its start and of the promotion. */
  switchOver(): Promise<{ readonly failedAt: number; readonly promotedAt: number }>;
  /** Output of Patroni on both nodes. */
  log(): string;
  stop(): Promise<void>;
}

async function binFolder(): Promise<string> {
  const versions = (await readdir("/usr/lib/postgresql")).sort((a, b) => Number(a) - Number(b));
  return join("/usr/lib/postgresql", versions.at(-1) ?? "", "bin");
}

/** deploy/patroni.yaml with other timeouts. */
async function configurationWith(timeouts: Partial<Timeouts>): Promise<string> {
  let text = await readFile(join(deploy, "patroni.yaml"), "utf8");
  for (const [name, seconds] of Object.entries(timeouts)) {
    const line = new RegExp(`^( +${name}:) \\d+$`, "m");
    if (!line.test(text)) throw new Error(`deploy/patroni.yaml has no ${name}`);
    text = text.replace(line, `$1 ${seconds}`);
  }
  return text;
}

async function startEtcd(folder: string): Promise<{ readonly daemon: Daemon; readonly port: number }> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const client = `http://127.0.0.1:${port}`;
  const daemon = startDaemon("etcd", [
    ...["--data-dir", join(folder, "etcd"), "--listen-peer-urls", `http://127.0.0.1:${peerPort}`],
    ...["--listen-client-urls", client, "--advertise-client-urls", client],
  ]);
  const isHealthy = () =>
    fetch(`${client}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("etcd is healthy", 20_000, isHealthy);
  return { daemon, port };
}

async function startHaproxy(folder: string, a: PatroniNode, b: PatroniNode) {
  const port = await freePort();
  // Daemons of this test have no privileges to give up.
  const file = join(folder, "haproxy.cfg");
  const text = await readFile(join(deploy, "haproxy.cfg"), "utf8");
  await writeFile(file, text.replaceAll(/^ {2}(?:user|group|chroot) .*\n/gm, ""));
  const daemon = startDaemon("haproxy", ["-db", "-f", file], {
    LISTEN: `127.0.0.1:${port}`,
    NODE_A: `127.0.0.1:${a.port}`,
    NODE_A_PATRONI_PORT: String(a.restPort),
    NODE_B: `127.0.0.1:${b.port}`,
    NODE_B_PATRONI_PORT: String(b.restPort),
  });
  return { daemon, port };
}

/** Creates the roles and the database of deploy/roles.sql. */
async function createRoles(adminUrl: string): Promise<void> {
  const accepts = async () => {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 1_000 });
    client.on("error", () => {});
    return client
      .connect()
      .then(() => true)
      .catch(() => false)
      .finally(() => client.end());
  };
  await until("HAProxy forwards to the primary", 20_000, accepts);
  const env = { ...process.env, OWNER_PASSWORD: "owner", SERVICE_PASSWORD: "service" };
  const roles = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", join(deploy, "roles.sql"), adminUrl];
  // It can be repeated.
  for (let times = 0; times < 2; times++) await run("psql", roles, { env });
}

export async function startPatroni(timeouts: Partial<Timeouts>): Promise<PatroniCluster> {
  const folder = await mkdtemp("/var/tmp/hearback-patroni-");
  // PostgreSQL's own user must reach it.
  await chmod(folder, 0o777);
  const configuration = join(folder, "patroni.yaml");
  await writeFile(configuration, await configurationWith(timeouts));
  const etcd = await startEtcd(folder);
  const settings = { folder, configuration, etcdPort: etcd.port, bin: await binFolder() };
  const nodes = [await createNode("a", settings), await createNode("b", settings)] as const;
  const haproxy = await startHaproxy(folder, ...nodes);

  const primary = async () => {
    for (const node of nodes) if (await node.isPrimary()) return node;
    return undefined;
  };
  const promotionOf = async (node: PatroniNode) => {
    await until(`${node.name} is promoted`, 90_000, () => node.isPrimary());
    return Date.now();
  };
  const hasSynchronousStandby = async () =>
    (await (await primary())?.members())?.some(({ role, state }) => role === "sync_standby" && state === "running");
  const roles = async () => {
    const current = await until("there is a primary", 30_000, primary);
    return { current, other: current === nodes[0] ? nodes[1] : nodes[0] };
  };
  const url = (user: string, password: string, database = "hearback") =>
    `postgres://${user}:${password}@127.0.0.1:${haproxy.port}/${database}`;

  async function stop(): Promise<void> {
    for (const node of nodes) await node.signal("machine", "SIGKILL");
    await haproxy.daemon.kill();
    await etcd.daemon.kill();
    await rm(folder, { recursive: true, force: true });
  }

  /** Stopped by `silence`, and not killed yet. */
  let silent: PatroniNode | undefined;
  async function rejoin(): Promise<void> {
    await silent?.signal("machine", "SIGKILL");
    silent = undefined;
    for (const node of nodes) node.start();
    await until("there is a synchronous standby", 60_000, hasSynchronousStandby);
  }

  try {
    await rejoin();
    await createRoles(url("postgres", passwords.superuser, "postgres"));
  } catch (error) {
    const log = nodes.map((node) => node.log()).join("\n");
    await stop();
    throw new Error(`the cluster did not start:\n${log}\n${haproxy.daemon.log()}`, { cause: error });
  }

  return {
    env: {
      DATABASE_URL: url("hearback_service", "service"),
      DATABASE_OWNER_URL: url("hearback_owner", "owner"),
      DATABASE_ADMIN_URL: url("postgres", passwords.superuser),
    },
    port: haproxy.port,
    async fail(how) {
      const { current, other } = await roles();
      const failedAt = Date.now();
      const what = how === "postgres" ? "postgres" : "machine";
      await current.signal(what, how === "silence" ? "SIGSTOP" : "SIGKILL");
      if (how === "silence") silent = current;
      return { failedAt, promotedAt: await promotionOf(other) };
    },
    rejoin,
    async switchOver() {
      const { current, other } = await roles();
      const failedAt = Date.now();
      const args = ["-c", configuration, "switchover", "hearback", "--force"];
      await run(...asPostgres("patronictl", [...args, "--primary", current.name, "--candidate", other.name]), {
        cwd: "/",
        env: { ...process.env, PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcd.port}` },
      });
      return { failedAt, promotedAt: await promotionOf(other) };
    },
    log: () => nodes.map((node) => `${node.name}:\n${node.log().slice(-10_000)}`).join("\n"),
    stop,
  };
}
