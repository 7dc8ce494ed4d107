import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { alive } from "../measuring/machine.ts";
import { parseSettings } from "../parse-settings.ts";
import { until } from "../waiting.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

/** Stops PostgreSQL like a crash: no checkpoint, all connections closed. */
export async function crashPostgres(): Promise<void> {
  await run(join(root, "dev/postgres"), ["stop", "--immediate"]);
}

/** Starts PostgreSQL with its existing data, unless it is running. Returns its settings. */
export async function startPostgres(engine: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const { stdout } = await run(join(root, "dev/postgres"), ["start"], { env: { ...process.env, ...engine } });
  return parseSettings(stdout);
}

/** Stops PostgreSQL and deletes its data. */
export async function wipePostgres(engine: Readonly<Record<string, string>>): Promise<void> {
  await run(join(root, "dev/postgres"), ["stop", "--wipe"], { env: { ...process.env, ...engine } });
}

/** Kills the S3 gateway. The daemons behind it keep running. */
export async function killGateway(): Promise<void> {
  const pid = Number(await readFile(join(process.env.S3_ENGINE_DIR ?? "", "run/client.rgw.pid"), "utf8"));
  process.kill(pid, "SIGKILL");
  await until("the gateway ended", 10_000, () => !alive(pid));
}

/** Starts the stopped parts of the S3 engine. */
export async function startGateway(): Promise<void> {
  await run(join(root, "dev/s3"), ["start"]);
}

/** Makes the S3 engine refuse writes as if its disks were full, or accept them again. */
export async function setStoreFull(isFull: boolean): Promise<void> {
  const conf = join(process.env.S3_ENGINE_DIR ?? "", "ceph.conf");
  const usual = { full: "0.95", backfillfull: "0.9", nearfull: "0.85" };
  for (const [name, ratio] of Object.entries(usual))
    await run("ceph", ["-c", conf, "osd", `set-${name}-ratio`, isFull ? "0.00001" : ratio]);
}
