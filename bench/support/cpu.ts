import { readdirSync, readFileSync } from "node:fs";

/** The kernel's unit for CPU time in /proc, on every architecture Linux runs on. */
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
  // The name in parentheses may hold anything; what follows is state, parent and, from the 12th on, the CPU times.
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

/** CPU seconds that a process has used so far, with all its threads. */
export function cpuOf(pid: number): number {
  const times = readTimes(pid);
  if (!times) throw new Error(`process ${pid} has ended`);
  return times.own;
}

/** CPU seconds of the children of a process that have ended, as the kernel counted them. */
export const cpuOfEndedChildren = (pid: number) => readTimes(pid)?.endedChildren ?? 0;

/** CPU seconds of a process and its children, those that have ended included. */
export function cpuOfFamily(pid: number): number {
  let sum = cpuOf(pid) + (readTimes(pid)?.endedChildren ?? 0);
  for (const name of readdirSync("/proc")) {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : undefined;
    if (times?.parent === pid) sum += times.own;
  }
  return sum;
}

/** CPU seconds of all that runs on this machine, the kernel included. */
export function cpuOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = readFileSync("/proc/stat", "utf8")
    .slice("cpu  ".length)
    .split(" ", 7)
    .map(Number);
  return (user + nice + system + irq + softIrq) / ticksPerSecond;
}
