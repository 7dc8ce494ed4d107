import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** Starts the process that opens and stops the shared stack. It ends with this process, or earlier by `stopStackHost`. */
export async function startStackHost(socket: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  rmSync(socket, { force: true });
  const host = spawn(process.execPath, [join(import.meta.dirname, "stack-host.ts"), socket], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  // It prints a line when it listens.
  if (host.stdout) await once(host.stdout, "data");
  return host;
}

export async function stopStackHost(host: ChildProcess): Promise<void> {
  const ended = host.exitCode === null && host.signalCode === null && once(host, "exit");
  host.stdin?.end();
  await ended;
}
