import { readdirSync, readFileSync } from "node:fs";

const everyMs = 20;

/** Children of a process, of all its threads. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** What a process and its descendants hold now. */
export const memoryOfFamily = (pid: number): number =>
  memoryOf(pid) + childrenOf(pid).reduce((sum, child) => sum + memoryOfFamily(child), 0);

/** The most memory, in bytes, that a process and its descendants held together while something was done. */
export async function peakMemory(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOfFamily(pid));
  }, everyMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}
