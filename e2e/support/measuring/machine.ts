import { readdir, readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Peak resident memory of a process in MB (`VmHWM`, tracked by the kernel). */
export async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kb === undefined) throw new Error(`/proc/${pid}/status has no VmHWM`);
  return Number(kb) / 1024;
}

/** Makes the current resident memory of a process its peak, and returns it in MB. */
export async function resetPeakMemory(pid: number): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
  return peakMemoryMb(pid);
}

// States of /proc/net/tcp to ignore: LISTEN is not a client connection, TIME_WAIT belongs to no process.
const LISTEN = "0A";
const TIME_WAIT = "06";

/** Number of server-side connections of a port. */
export async function openConnections(port: number): Promise<number> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = await Promise.all(["/proc/net/tcp", "/proc/net/tcp6"].map((path) => readFile(path, "utf8")));
  return tables
    .flatMap((table) => table.trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from, , state]) => from?.endsWith(local) && state !== LISTEN && state !== TIME_WAIT).length;
}

/** Whether a process is running. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** Peak resident memory. */
  readonly peakMb: number;
}

/** All processes that can be inspected. */
export async function processes(): Promise<Process[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<Process[]> => {
      try {
        const [status, command] = await Promise.all(
          ["status", "cmdline"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")),
        );
        const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status ?? "")?.[1] ?? 0);
        return [
          {
            pid: Number(pid),
            parent: field("PPid"),
            command: (command ?? "").replaceAll("\0", " ").trim(),
            peakMb: field("VmHWM") / 1024,
          },
        ];
      } catch {
        // The process ended in the meantime.
        return [];
      }
    }),
  );
  return found.flat();
}

/** A process and its descendants. */
function familyOf(pid: number, all: readonly Process[]): Process[] {
  const self = all.filter((one) => one.pid === pid);
  return [...self, ...all.filter((one) => one.parent === pid).flatMap((child) => familyOf(child.pid, all))];
}

/** Running descendants of a process. */
export async function childrenOf(pid: number): Promise<Process[]> {
  return familyOf(pid, await processes()).filter((one) => one.pid !== pid);
}

export interface MemoryWatch {
  /** Peak memory of a child process with its descendants, and its name. */
  stop(): Promise<{ readonly mostMb: number; readonly command: string; readonly samples: number }>;
}

/** Samples the memory of a process's children ten times per second. */
export function watchChildren(pid: number): MemoryWatch {
  let most = { mostMb: 0, command: "" };
  let samples = 0;
  let looking = true;
  const done = (async () => {
    while (looking) {
      const all = await processes();
      for (const child of all.filter((one) => one.parent === pid)) {
        const family = familyOf(child.pid, all);
        const mb = family.reduce((sum, one) => sum + one.peakMb, 0);
        if (mb > most.mostMb) most = { mostMb: mb, command: family.at(-1)?.command ?? "" };
      }
      samples++;
      await sleep(100);
    }
  })();
  return {
    async stop() {
      looking = false;
      await done;
      return { ...most, samples };
    },
  };
}
