import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";

/** Starts the process that runs server commands, on a Unix socket. The caller kills it. */
export async function startCommandHost(socket: string, env: NodeJS.ProcessEnv = process.env): Promise<ChildProcess> {
  rmSync(socket, { force: true });
  const host = spawn(process.execPath, [join(import.meta.dirname, "command-host.ts"), socket], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // It prints a line when it listens.
  if (host.stdout) await once(host.stdout, "data");
  return host;
}
