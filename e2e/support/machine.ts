import { readFile } from "node:fs/promises";

/** The most memory that a process ever had resident, in MB (`VmHWM`: kept by the kernel, no peak is missed). */
export async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kb === undefined) throw new Error(`/proc/${pid}/status tells no VmHWM`);
  return Number(kb) / 1024;
}

// Of /proc/net/tcp: a listening socket is none of a client, a TIME_WAIT is no longer any process's.
const LISTEN = "0A";
const TIME_WAIT = "06";

/** How many connections the kernel holds on the server's side of a port. */
export async function openConnections(port: number): Promise<number> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8")));
  return tables
    .flatMap((table) => table.trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from, , state]) => from?.endsWith(local) && state !== LISTEN && state !== TIME_WAIT).length;
}

/** Whether a process runs. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
