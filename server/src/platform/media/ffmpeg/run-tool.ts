import { type ChildProcessByStdio, spawn } from "node:child_process";
import { setPriority } from "node:os";
import type { Readable } from "node:stream";
import { filterStream, type Sandbox, sendFilter } from "./sandbox.ts";

export interface Limits {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly fileBytes: number;
}

export interface ToolRun {
  readonly args: readonly string[];
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly limits: Limits;
  /** Kills the tool when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the tool's standard output. The chunk is valid only during the call. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface ToolEnd {
  readonly ok: boolean;
  /** Whether it was stopped because it exceeded its CPU time, memory or file size limit. */
  readonly exhausted: boolean;
  /** The beginning and the end of its standard error. */
  readonly stderr: string;
}

/**
 * The tool could not do its work: it was killed by another process or could not start. The recording is not the cause.
 */
export class ToolInterrupted extends Error {
  override name = "ToolInterrupted";
}

/** The machine was too busy: the tool did not get its CPU time in time. */
export class MachineBusy extends Error {
  override name = "MachineBusy";
}

const maxStderrBytes = 4 * 1024;
/** Wall-clock timeout for a CPU time limit. A tool that exceeds it did not get enough CPU time. */
const timeoutMs = (cpuSeconds: number) => cpuSeconds * 2000 + 3000;

/** Runs a tool in the sandbox, with limits for CPU time, memory and file size. */
export async function runTool({ args, sandbox, folder, limits, signal, onOutput }: ToolRun): Promise<ToolEnd> {
  const { cpuSeconds, memoryBytes, fileBytes } = limits;
  signal?.throwIfAborted();
  const began = performance.now();
  const child = spawn(
    "prlimit",
    [
      ...[`--cpu=${cpuSeconds}`, `--as=${memoryBytes}`, `--fsize=${fileBytes}`, "--core=0", "--nofile=64"],
      ...sandbox.prefix(folder),
      ...args,
    ],
    {
      stdio: ["ignore", "pipe", "pipe", ...filterStream(sandbox)],
      killSignal: "SIGKILL",
      ...(signal && { signal }),
      env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" },
    },
  ) as Child;
  sendFilter(child, sandbox);
  // Lower priority than processes that serve requests on the same machine.
  if (child.pid) setPriority(child.pid, 10);
  const stderr = keepEnds(maxStderrBytes);
  child.stderr.setEncoding("utf8").on("data", stderr.add);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
    // Do not wait for escaped processes that still hold the pipes.
    child.stdout.destroy();
    child.stderr.destroy();
  }, timeoutMs(cpuSeconds));
  try {
    const { code, endedBy } = await ended(child, onOutput);
    const seconds = (performance.now() - began) / 1000;
    if (late) throw new MachineBusy(`a tool did not finish within ${seconds.toFixed()} s`);
    return toToolEnd({ code, endedBy, usedUp: seconds > cpuSeconds * 0.8, stderr: stderr.text() });
  } finally {
    clearTimeout(timer);
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function ended(child: Child, onOutput: (chunk: Buffer) => void) {
  return new Promise<{ code: number | null; endedBy: NodeJS.Signals | null }>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      try {
        onOutput(chunk);
        freeNow(chunk);
      } catch (error) {
        child.kill("SIGKILL");
        reject(error);
      }
    });
    child.on("error", reject);
    child.on("close", (code, endedBy) => resolve({ code, endedBy }));
  });
}

/** Signals of a killed process, directly and as exit codes of bubblewrap. */
const killed = ["SIGKILL", "SIGXCPU", 128 + 9, 128 + 24];
const fileTooLarge = ["SIGXFSZ", 128 + 25];
const outOfMemory = /cannot allocate memory|out of memory|memory exhausted/i;
/** Error messages of the wrapper programs, not of the tool. */
const wrapperFailed = /^(bwrap|setpriv|prlimit|unshare): /m;

interface End {
  readonly code: number | null;
  readonly endedBy: NodeJS.Signals | null;
  /** Whether it ran long enough to exhaust its CPU time. Otherwise a kill has another cause. */
  readonly usedUp: boolean;
  readonly stderr: string;
}

function toToolEnd({ code, endedBy, usedUp, stderr }: End): ToolEnd {
  if (code === 0) return { ok: true, exhausted: false, stderr };
  const end = endedBy ?? code ?? "nothing";
  const overLimit = (killed.includes(end) && usedUp) || fileTooLarge.includes(end) || outOfMemory.test(stderr);
  // ffmpeg exits with 255 when it is asked to stop.
  const interrupted = endedBy !== null || code === null || code > 125 || wrapperFailed.test(stderr);
  if (!overLimit && interrupted) throw new ToolInterrupted(`a tool ended with ${end}: ${stderr.slice(0, 200)}`);
  return { ok: false, exhausted: overLimit, stderr };
}

/** Keeps the beginning and the end of a long text. */
function keepEnds(bytes: number) {
  let head = "";
  let tail = "";
  return {
    add(text: string): void {
      const room = bytes - head.length;
      head += text.slice(0, room);
      if (text.length > room) tail = (tail + text.slice(Math.max(0, room))).slice(-bytes);
    },
    text: () => head + tail,
  };
}

/** Frees a chunk's memory immediately. Leaving it to the garbage collector costs as much time as the analysis. */
function freeNow(chunk: Buffer): void {
  if (chunk.length > 1024 && chunk.buffer.byteLength === chunk.length) (chunk.buffer as ArrayBuffer).transfer(0);
}
