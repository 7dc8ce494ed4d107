#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { CommanderError } from "commander";
import { agentsCommand } from "./commands/agents.ts";
import { callsCommand } from "./commands/calls.ts";
import { completionCommand } from "./commands/completion.ts";
import { openContext } from "./commands/context.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { importCommand } from "./commands/import.ts";
import { loginCommand } from "./commands/login.ts";
import { logoutCommand } from "./commands/logout.ts";
import { openProgram, usageFailure } from "./commands/program.ts";
import { reconcileCommand } from "./commands/reconcile.ts";
import { failureBody, tellFailure, toFailure } from "./commands/report-failure.ts";
import { watchCommand } from "./commands/watch.ts";
import { withoutKeys } from "./connection/api-key.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { Unanswered } from "./terminal/question.ts";

const { argv, env, stdin, stdout, stderr } = process;

/** Every command, in the order in which the help lists them. */
const commands = [
  loginCommand,
  logoutCommand,
  doctorCommand,
  importCommand,
  reconcileCommand,
  watchCommand,
  agentsCommand,
  callsCommand,
  completionCommand,
];

// The first Ctrl-C lets what is under way end well; the second does not wait for it.
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) process.exit(exitCodes.stopped);
    stopping.abort();
  });
}
// Whoever reads has read enough, as with `| head`.
for (const output of [stdout, stderr]) {
  output.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? exitCodes.outputClosed : exitCodes.defect),
  );
}

// What nobody waits for fails here, and is told like everything else.
process.on("uncaughtException", (error) => process.exit(tell(error)));

const context = openContext({ env, stdin, stdout, stderr, signal: stopping.signal });
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const program = openProgram(context, version);
for (const add of commands) add(program, context);

try {
  await program.parseAsync(argv);
  process.exitCode = context.exitCode;
} catch (error) {
  process.exitCode = tell(error);
}

function tell(error: unknown): ExitCode {
  if (stopping.signal.aborted || error instanceof Unanswered) return exitCodes.stopped;
  // The help was shown because a command is missing: that says enough.
  if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
  const cause = error instanceof CommanderError ? usageFailure(error) : error;
  if (cause === undefined) return exitCodes.done;
  const failure = toFailure(cause);
  const json = argv.includes("--json");
  stderr.write(json ? `${failureBody(failure)}\n` : tellFailure(failure, context.errorStyle));
  if (env.HEARBACK_DEBUG === "1") stderr.write(`${withoutKeys(inspect(error))}\n`);
  return failure.exitCode;
}
