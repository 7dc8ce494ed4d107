#!/usr/bin/env node
import { reportFailure, runProgram } from "./run-program.ts";
import { exitCodes } from "./terminal/exit-codes.ts";

const { argv, env, stdin, stdout, stderr } = process;

// The first Ctrl-C stops gracefully; the second exits immediately.
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(exitCodes.stopped);
    stopping.abort();
  });
}
// EPIPE: the reader closed the pipe, as `| head` does.
for (const output of [stdout, stderr]) {
  output.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? exitCodes.outputClosed : exitCodes.defect),
  );
}

const run = { args: argv.slice(2), env, stdin, stdout, stderr, signal: stopping.signal };
// Report unhandled errors like all others.
process.on("uncaughtException", (error) => process.exit(reportFailure(error, run)));

process.exitCode = await runProgram(run);
