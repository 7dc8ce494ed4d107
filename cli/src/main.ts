#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { CommanderError } from "commander";
import { agentsCommand } from "./commands/agents.ts";
import { callsCommand } from "./commands/calls.ts";
import { completionCommand } from "./commands/completion.ts";
import { openContext } from "./commands/context.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { drawsCommand } from "./commands/draws/command.ts";
import { importCommand } from "./commands/import/command.ts";
import { loginCommand } from "./commands/login.ts";
import { logoutCommand } from "./commands/logout.ts";
import { hasOwnVersionOption, openProgram, toUsageError } from "./commands/program.ts";
import { reconcileCommand } from "./commands/reconcile.ts";
import { failureBody, formatFailure, toFailure } from "./commands/report-failure.ts";
import { scorecardsCommand } from "./commands/scorecards/command.ts";
import { watchCommand } from "./commands/watch.ts";
import { redactKeys } from "./connection/api-key.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { PromptCancelled } from "./terminal/prompt.ts";

const { argv, env, stdin, stdout, stderr } = process;

/** All commands, in the order of the help. */
const commands = [
  loginCommand,
  logoutCommand,
  doctorCommand,
  importCommand,
  reconcileCommand,
  watchCommand,
  agentsCommand,
  callsCommand,
  scorecardsCommand,
  drawsCommand,
  completionCommand,
];

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

// Report unhandled errors like all others.
process.on("uncaughtException", (error) => process.exit(report(error)));

const context = openContext({ env, stdin, stdout, stderr, signal: stopping.signal });
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const program = openProgram(context);
for (const add of commands) add(program, context);
if (!hasOwnVersionOption(program, argv.slice(2))) program.version(version, "-V, --version", "show the version");

try {
  await program.parseAsync(argv);
  process.exitCode = context.exitCode;
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): ExitCode {
  if (stopping.signal.aborted || error instanceof PromptCancelled) return exitCodes.stopped;
  // Commander printed the help because the command is missing: no further message.
  if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
  const cause = error instanceof CommanderError ? toUsageError(error) : error;
  if (cause === undefined) return exitCodes.done;
  const failure = toFailure(cause);
  const json = argv.includes("--json");
  stderr.write(json ? `${failureBody(failure)}\n` : formatFailure(failure, context.errorStyle));
  if (env.HEARBACK_DEBUG === "1") stderr.write(`${redactKeys(inspect(error))}\n`);
  return failure.exitCode;
}
