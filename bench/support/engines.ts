import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCommandHost } from "../../e2e/support/stack/start-command-host.ts";

const root = join(import.meta.dirname, "../..");
const benchDir = join(root, ".data/bench");
const run = promisify(execFile);

type EngineName = "postgres" | "s3";

// PORT_OFFSET lets several clones run on one machine.
const offset = Number(process.env.PORT_OFFSET ?? 0);
const settings = {
  PG_ENGINE_DIR: join(benchDir, "postgres"),
  PG_ENGINE_PORT: String(15351 + offset),
  S3_ENGINE_DIR: join(benchDir, "s3"),
  S3_ENGINE_PORT: String(9130 + offset),
};

const dev = (engine: EngineName, ...args: string[]) =>
  run(join(root, "dev", engine), args, { env: { ...process.env, ...settings } });

/** Creates an empty folder for the benchmark. At the end, it is deleted together with its engines. */
export async function makeFolder(cleanup: AsyncDisposableStack): Promise<string> {
  async function tidy() {
    await dev("s3", "stop", "--wipe");
    await dev("postgres", "stop", "--wipe");
    await rm(benchDir, { recursive: true, force: true });
  }
  // Clean up after a benchmark that was killed.
  await tidy();
  cleanup.defer(tidy);
  await mkdir(benchDir, { recursive: true });
  // openStack stores the recordings of the filesystem engine here.
  process.env.E2E_DIR = benchDir;
  // It sends server commands here.
  process.env.E2E_COMMAND_HOST = join(benchDir, "commands.sock");
  const host = await startCommandHost(process.env.E2E_COMMAND_HOST);
  cleanup.defer(() => void host.kill("SIGKILL"));
  return benchDir;
}

/** Starts an engine and sets its connection settings in the environment, where openStack reads them. */
export async function startEngine(engine: EngineName): Promise<void> {
  const { stdout } = await dev(engine, "start");
  for (const line of stdout.trim().split("\n")) {
    const [key = "", value = ""] = line.split(/=(.*)/s);
    process.env[key] = value;
  }
}

const pidIn = (file: string) => Number.parseInt(readFileSync(file, "utf8"), 10);

/** The postmaster, the parent of all PostgreSQL processes. */
export const postgresPid = () => pidIn(join(settings.PG_ENGINE_DIR, "data/postmaster.pid"));

export const cephPids = () => ({
  gateway: pidIn(join(settings.S3_ENGINE_DIR, "run/client.rgw.pid")),
  osd: pidIn(join(settings.S3_ENGINE_DIR, "run/osd.0.pid")),
});
