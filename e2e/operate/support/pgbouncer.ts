import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { freePort } from "../../support/stack/free-port.ts";
import { until } from "../../support/waiting.ts";
import { startDaemon } from "./daemon.ts";

export interface Pgbouncer {
  /** The same database through PgBouncer. */
  url(databaseUrl: string | undefined): string;
  stop(): Promise<void>;
}

export type PoolMode = "transaction" | "session";

/** The timeouts of docs/operations/failover.md, for the current database only. */
export async function setRoleTimeouts(admin: pg.Pool): Promise<void> {
  const { rows } = await admin.query<{ name: string }>("select current_database() as name");
  const role = `alter role hearback_service in database ${rows[0]?.name}`;
  await admin.query(`${role} set statement_timeout = '15s'`);
  await admin.query(`${role} set idle_in_transaction_session_timeout = '30s'`);
}

/** Starts PgBouncer with deploy/pgbouncer.ini in front of every database at a port. */
export async function startPgbouncer(target: number, poolMode: PoolMode = "transaction"): Promise<Pgbouncer> {
  const folder = await mkdtemp("/var/tmp/hearback-pgbouncer-");
  await chmod(folder, 0o755);
  const port = await freePort();
  const users = join(folder, "userlist.txt");
  await writeFile(users, '"hearback_service" "service"\n"hearback_owner" "owner"\n');
  const shipped = await readFile(join(import.meta.dirname, "../../../deploy/pgbouncer.ini"), "utf8");
  const file = join(folder, "pgbouncer.ini");
  // The databases of tests have names of their own.
  const text = shipped
    .replace(/^hearback = .*$/m, `* = host=127.0.0.1 port=${target}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}\nunix_socket_dir =`)
    .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
    .replace(/^pool_mode = .*$/m, `pool_mode = ${poolMode}`);
  await writeFile(file, text);
  const daemon = startDaemon("pgbouncer", [file]);
  await until("PgBouncer listens", 10_000, () => {
    if (!daemon.isRunning()) throw new Error(`PgBouncer ended:\n${daemon.log()}`);
    return daemon.log().includes("process up");
  });
  return {
    url: (databaseUrl = "") => Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    async stop() {
      await daemon.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
