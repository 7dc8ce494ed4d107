import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { runProgram } from "../run-program.ts";

/** The command as a file, for tests that need a process of its own. */
export const command = join(import.meta.dirname, "../main.ts");

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

/** A stream that is not a terminal, which keeps what is written to it. */
function openOutput() {
  let written = "";
  const stream = new PassThrough().on("data", (chunk) => (written += chunk)) as PassThrough & NodeJS.WriteStream;
  return { stream, written: () => written };
}

/** Runs `hearback` without the environment of this process. In this process: starting one takes longer than most tests. */
export async function runCommand(args: readonly string[], { env = {}, input = "", cwd }: RunOptions = {}) {
  const [stdout, stderr] = [openOutput(), openOutput()];
  const stdin = new PassThrough().end(input) as PassThrough & NodeJS.ReadStream;
  const before = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const { signal } = new AbortController();
    const code = await runProgram({ args, env, stdin, stdout: stdout.stream, stderr: stderr.stream, signal });
    return { code, stdout: stdout.written(), stderr: stderr.written() };
  } finally {
    process.chdir(before);
  }
}

export const makeFolder = () => mkdtemp(join(tmpdir(), "hearback-shell-"));
