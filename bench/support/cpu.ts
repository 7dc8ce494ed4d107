import { readdirSync, readFileSync } from "node:fs";

/** The kernel's unit for CPU time in /proc (USER_HZ), the same on all architectures. */
const ticksPerSecond = 100;

interface Times {
  readonly parent: number;
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
    own: (user + system) / ticksPerSecond,
    endedChildren: (childrenUser + childrenSystem) / ticksPerSecond,
  };
}

/** CPU seconds used by a process so far, including all threads. */
export function cpuOf(pid: number): number {
  const times = readTimes(pid);
  if (!times) throw new Error(`process ${pid} has ended`);
  return times.own;
}

/** CPU seconds of the ended children of a process. */
export const cpuOfEndedChildren = (pid: number) => readTimes(pid)?.endedChildren ?? 0;

/** CPU seconds of a process and its children, including ended ones. */
export function cpuOfFamily(pid: number): number {
  let sum = cpuOf(pid) + (readTimes(pid)?.endedChildren ?? 0);
  for (const name of readdirSync("/proc")) {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : undefined;
    if (times?.parent === pid) sum += times.own;
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
