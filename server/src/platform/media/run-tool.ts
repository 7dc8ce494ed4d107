import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import type { Confinement } from "./confinement.ts";

export interface Limits {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly fileBytes: number;
}

export interface ToolRun {
  readonly words: readonly string[];
  readonly confinement: Confinement;
  readonly folder: string;
  readonly limits: Limits;
  /** Takes what the tool writes to its standard output, as it comes. The chunk is gone when this returns. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface ToolEnd {
  readonly ok: boolean;
  /** It was stopped because it took more processor time, memory or disk than it may. */
  readonly exhausted: boolean;
  /** The beginning of what it complained of. */
  readonly complaints: string;
}

const complaintBytes = 8 * 1024;
/** How much longer than its processor time a tool may take. Then the machine is too busy, which may pass. */
const patience = 2;

/** How a shell and bubblewrap say that a signal ended the tool: killed, out of processor time, file too large. */
const stoppedBySignal = [9, 24, 25].map((signal) => 128 + signal);

/** The tool did not get the time it was allowed. */
export class MachineBusy extends Error {
  override name = "MachineBusy";
}

/** Runs one tool on one file, in its confinement, with bounds on time, memory and what it may write. */
export async function runTool({ words, confinement, folder, limits, onOutput }: ToolRun): Promise<ToolEnd> {
  const { cpuSeconds, memoryBytes, fileBytes } = limits;
  const child = spawn(
    "prlimit",
    [
      ...[`--cpu=${cpuSeconds}`, `--as=${memoryBytes}`, `--fsize=${fileBytes}`, "--core=0", "--nofile=64"],
      ...confinement.prefix(folder),
      ...words,
    ],
    { stdio: ["ignore", "pipe", "pipe"], env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" } },
  );
  // Whoever answers people on the same machine goes first.
  if (child.pid) setPriority(child.pid, 10);
  let complaints = "";
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      child.kill("SIGKILL");
    },
    cpuSeconds * patience * 1000,
  );
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaints.length < complaintBytes) complaints += text.slice(0, complaintBytes - complaints.length);
  });
  try {
    const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
      (resolve, reject) => {
        child.stdout.on("data", (chunk: Buffer) => {
          try {
            onOutput(chunk);
            giveBack(chunk);
          } catch (error) {
            child.kill("SIGKILL");
            reject(error);
          }
        });
        child.on("error", reject);
        child.on("close", (code, signal) => resolve({ code, signal }));
      },
    );
    const outOfMemory = /cannot allocate memory|out of memory|memory exhausted/i.test(complaints);
    if (late) throw new MachineBusy(`a tool was not done after ${cpuSeconds * patience} s`);
    const stopped = signal !== null || stoppedBySignal.includes(code ?? 0);
    return { ok: code === 0, exhausted: stopped || (code !== 0 && outOfMemory), complaints };
  } finally {
    clearTimeout(timer);
  }
}

/** Frees a chunk's memory now. Left to the collector, the chunks of one call cost as much time as hearing them. */
function giveBack(chunk: Buffer): void {
  if (chunk.length > 1024 && chunk.buffer.byteLength === chunk.length) (chunk.buffer as ArrayBuffer).transfer(0);
}
