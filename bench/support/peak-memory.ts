import { readdirSync, readFileSync } from "node:fs";

const sampleIntervalMs = 20;

/** Children of all threads of a process. */
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

/** Resident memory of a process and its descendants, in bytes. */
export const memoryOfFamily = (pid: number): number =>
  memoryOf(pid) + childrenOf(pid).reduce((sum, child) => sum + memoryOfFamily(child), 0);

/** Peak resident memory of a process and its descendants during `work`, in bytes. */
export async function peakMemory(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOfFamily(pid));
  }, sampleIntervalMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}
