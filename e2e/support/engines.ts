import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { alive } from "./machine.ts";
import { until } from "./waiting.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** PostgreSQL ends as in a crash: no checkpoint, every connection cut. */
export async function crashPostgres(): Promise<void> {
  await run(join(root, "dev/postgres"), ["stop", "--immediate"]);
}

/** Starts PostgreSQL again, on the data that it had; a running one is left alone. */
export async function startPostgres(): Promise<void> {
  await run(join(root, "dev/postgres"), ["start"]);
}

/** Kills the S3 gateway; the daemons behind it go on. */
export async function killGateway(): Promise<void> {
  const pid = Number(await readFile(join(process.env.S3_ENGINE_DIR ?? "", "run/client.rgw.pid"), "utf8"));
  process.kill(pid, "SIGKILL");
  await until("the gateway is gone", 10_000, () => !alive(pid));
}

/** Starts what is missing of the S3 engine; a running one is left alone. */
export async function startGateway(): Promise<void> {
  await run(join(root, "dev/s3"), ["start"]);
}
