import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export const server = join(import.meta.dirname, "../../server/src/main.ts");
const run = promisify(execFile);

export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start the suites with "npm run e2e", which starts the engines`);
  return value;
}

/** Processes are started by the hundred, all of the same sources; run.ts has put there what they are compiled to. */
export const compileCache = () => ({ NODE_COMPILE_CACHE: join(required("E2E_DIR"), "compiled") });

export const inDatabase = (url: string, database: string) =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;

/** What every process of an installation is told, whatever keeps its recordings. */
export const baseEnv = (database: string) => ({
  PATH: required("PATH"),
  ...compileCache(),
  LOG_LEVEL: "info",
  HOST: "127.0.0.1",
  WORKER_PORT: "0",
  DATABASE_URL: inDatabase(required("DATABASE_URL"), database),
  DATABASE_OWNER_URL: inDatabase(required("DATABASE_OWNER_URL"), database),
});

/** Runs `hearback-server …` with this environment. */
export const commandsWith =
  (env: Record<string, string>) =>
  async <T>(...args: string[]): Promise<T> => {
    const { stdout } = await run(process.execPath, [server, ...args], { env, maxBuffer: 64 * 1024 * 1024 });
    return (
      stdout.trimStart().startsWith("{") || stdout.trimStart().startsWith("[") ? JSON.parse(stdout) : stdout
    ) as T;
  };
