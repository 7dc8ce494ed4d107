import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { alive } from "../measuring/machine.ts";
import { until } from "../waiting.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

/** Stops PostgreSQL like a crash: no checkpoint, all connections closed. */
export async function crashPostgres(): Promise<void> {
  await run(join(root, "dev/postgres"), ["stop", "--immediate"]);
}

/** Starts PostgreSQL with its existing data, unless it is running. */
export async function startPostgres(): Promise<void> {
  await run(join(root, "dev/postgres"), ["start"]);
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
