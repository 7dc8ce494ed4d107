import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** The compile cache that server/vitest.config.ts sets for the test processes. */
const compiled = join(import.meta.dirname, "../../../.data/test/compiled");
export const command = join(import.meta.dirname, "../main.ts");

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

/** Runs `hearback` in a child process, without inheriting the environment. */
export async function runCommand(args: readonly string[], { env = {}, input = "", cwd }: RunOptions = {}) {
  const child = spawn(process.execPath, [command, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

export const makeFolder = () => mkdtemp(join(tmpdir(), "hearback-shell-"));
