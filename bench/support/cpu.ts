import { readdirSync, readFileSync } from "node:fs";

/** The kernel's unit for CPU time in /proc (USER_HZ), the same on all architectures. */
const ticksPerSecond = 100;

interface Times {
  readonly parent: number;
  readonly threads: number;
  readonly own: number;
  readonly endedChildren: number;
}

function readTimes(pid: number): Times | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name in parentheses may contain anything. It is followed by state, parent and, from field 12 on, the CPU times.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
  return {
    parent: fields[1] ?? 0,
    threads: fields[17] ?? 0,
    own: (user + system) / ticksPerSecond,
    endedChildren: (childrenUser + childrenSystem) / ticksPerSecond,
  };
}

/** CPU seconds used by a process so far, including all threads. */
export function cpuOf(pid: number): number {
  const seconds = ownSeconds(pid);
  if (seconds === undefined) throw new Error(`process ${pid} has ended`);
  return seconds;
}

/**
 * Processes with one thread (PostgreSQL's) in nanoseconds: /proc/PID/stat truncates each of them to 10 ms. With several threads that
 * does not matter, and those that have ended are missing in the nanoseconds.
 */
function ownSeconds(pid: number): number | undefined {
  const times = readTimes(pid);
  if (times?.threads !== 1) return times?.own;
  try {
    return Number.parseInt(readFileSync(`/proc/${pid}/schedstat`, "utf8"), 10) / 1e9;
  } catch {
    return undefined;
  }
}

/** CPU seconds of the ended children of a process. */
export const cpuOfEndedChildren = (pid: number) => readTimes(pid)?.endedChildren ?? 0;

/** CPU seconds of a process and its children, including ended ones. */
export function cpuOfFamily(pid: number): number {
  let sum = cpuOf(pid) + (readTimes(pid)?.endedChildren ?? 0);
  for (const name of readdirSync("/proc")) {
    const child = /^\d+$/.test(name) && readTimes(Number(name))?.parent === pid;
    if (child) sum += ownSeconds(Number(name)) ?? 0;
  }
  return sum;
}

/** CPU seconds of the whole machine, including the kernel. */
export function cpuOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = readFileSync("/proc/stat", "utf8")
    .slice("cpu  ".length)
    .split(" ", 7)
    .map(Number);
  return (user + nice + system + irq + softIrq) / ticksPerSecond;
}
