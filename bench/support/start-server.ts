import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Starts a server of this folder, which prints its address. It is killed at the end. */
export async function startServer(
  file: string,
  args: readonly string[],
  cleanup: AsyncDisposableStack,
): Promise<{ readonly baseUrl: string; readonly pid: number }> {
  const server = spawn(process.execPath, [join(import.meta.dirname, "..", file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanup.defer(() => void server.kill("SIGKILL"));
  const [line] = await once(server.stdout.setEncoding("utf8"), "data");
  return { baseUrl: line.trim(), pid: server.pid ?? 0 };
}
