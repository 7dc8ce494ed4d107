import { type ChildProcessByStdio, spawn } from "node:child_process";
import { setPriority } from "node:os";
import type { Readable } from "node:stream";
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
  /** Ends the tool when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
  /** Takes what the tool writes to its standard output, as it comes. The chunk is gone when this returns. */
  readonly onOutput: (chunk: Buffer) => void;
}

export interface ToolEnd {
  readonly ok: boolean;
  /** It was stopped because it took more processor time, memory or disk than it may. */
  readonly exhausted: boolean;
  /** The beginning and the end of what it complained of. */
  readonly complaints: string;
}

/** The tool was kept from its work: ended by somebody else, or not even begun. The recording is not at fault. */
export class ToolInterrupted extends Error {
  override name = "ToolInterrupted";
}

/** The tool did not get the time it was allowed. */
export class MachineBusy extends Error {
  override name = "MachineBusy";
}

const complaintBytes = 4 * 1024;
/** How long a tool may take that gets its processor time late. Then the machine is too busy, which may pass. */
const patienceMs = (cpuSeconds: number) => cpuSeconds * 2000 + 3000;

/** Runs one tool on one file, in its confinement, with bounds on time, memory and what it may write. */
export async function runTool({ words, confinement, folder, limits, signal, onOutput }: ToolRun): Promise<ToolEnd> {
  const { cpuSeconds, memoryBytes, fileBytes } = limits;
  signal?.throwIfAborted();
  const began = performance.now();
  const child = spawn(
    "prlimit",
    [
      ...[`--cpu=${cpuSeconds}`, `--as=${memoryBytes}`, `--fsize=${fileBytes}`, "--core=0", "--nofile=64"],
      ...confinement.prefix(folder),
      ...words,
    ],
    {
      ...{ stdio: ["ignore", "pipe", "pipe"], killSignal: "SIGKILL" },
      ...(signal && { signal }),
      env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" },
    },
  );
  // Whoever answers people on the same machine goes first.
  if (child.pid) setPriority(child.pid, 10);
  const complaints = keepEnds(complaintBytes);
  child.stderr.setEncoding("utf8").on("data", complaints.add);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
    // Should something have got away that still holds them, nobody waits for it.
    child.stdout.destroy();
    child.stderr.destroy();
  }, patienceMs(cpuSeconds));
  try {
    const { code, endedBy } = await ended(child, onOutput);
    const seconds = (performance.now() - began) / 1000;
    if (late) throw new MachineBusy(`a tool was not done after ${seconds.toFixed()} s`);
    return judge({ code, endedBy, usedUp: seconds > cpuSeconds * 0.8, complaints: complaints.text() });
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
        giveBack(chunk);
      } catch (error) {
        child.kill("SIGKILL");
        reject(error);
      }
    });
    child.on("error", reject);
    child.on("close", (code, endedBy) => resolve({ code, endedBy }));
  });
}

/** Killed, file too large: as it is told of a process itself, and as bubblewrap tells it of its child. */
const killed = ["SIGKILL", "SIGXCPU", 128 + 9, 128 + 24];
const fileTooLarge = ["SIGXFSZ", 128 + 25];
const outOfMemory = /cannot allocate memory|out of memory|memory exhausted/i;
/** Not the tool's words, but those of what is put around it. */
const wrapperFailed = /^(bwrap|setpriv|prlimit|unshare): /m;

interface End {
  readonly code: number | null;
  readonly endedBy: NodeJS.Signals | null;
  /** It ran for as long as its processor time lasts: only then can that be why it was killed. */
  readonly usedUp: boolean;
  readonly complaints: string;
}

function judge({ code, endedBy, usedUp, complaints }: End): ToolEnd {
  if (code === 0) return { ok: true, exhausted: false, complaints };
  const end = endedBy ?? code ?? "nothing";
  const overLimit = (killed.includes(end) && usedUp) || fileTooLarge.includes(end) || outOfMemory.test(complaints);
  // ffmpeg ends with 255 when somebody asked it to stop.
  const interrupted = endedBy !== null || code === null || code > 125 || wrapperFailed.test(complaints);
  if (!overLimit && interrupted) throw new ToolInterrupted(`a tool ended with ${end}: ${complaints.slice(0, 200)}`);
  return { ok: false, exhausted: overLimit, complaints };
}

/** Keeps the beginning and the end of a text that may be long. */
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

/** Frees a chunk's memory now. Left to the collector, the chunks of one call cost as much time as hearing them. */
function giveBack(chunk: Buffer): void {
  if (chunk.length > 1024 && chunk.buffer.byteLength === chunk.length) (chunk.buffer as ArrayBuffer).transfer(0);
}
