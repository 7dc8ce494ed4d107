import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { CommanderError } from "commander";
import { agentsCommand } from "./commands/agents.ts";
import { callsCommand } from "./commands/calls.ts";
import { type ContextOptions, openContext } from "./commands/context.ts";
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
import { packageFolder } from "./package-folder.ts";
import { type ExitCode, exitCodes } from "./terminal/exit-codes.ts";
import { PromptCancelled } from "./terminal/prompt.ts";
import { openStyle } from "./terminal/style.ts";

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
];

const { version } = JSON.parse(readFileSync(new URL("package.json", packageFolder), "utf8")) as {
  version: string;
};

/** A run of the `hearback` command. */
export interface Run extends ContextOptions {
  readonly args: readonly string[];
}

/** Runs the command in this process, and returns its exit code. */
export async function runProgram(run: Run): Promise<ExitCode> {
  const context = openContext(run);
  const program = openProgram(context);
  for (const add of commands) add(program, context);
  if (!hasOwnVersionOption(program, run.args)) program.version(version, "-V, --version", "show the version");
  try {
    await program.parseAsync(run.args, { from: "user" });
    return context.exitCode;
  } catch (error) {
    return reportFailure(error, run);
  }
}

export function reportFailure(error: unknown, { args, env, stderr, signal }: Run): ExitCode {
  if (signal.aborted || error instanceof PromptCancelled) return exitCodes.stopped;
  // Commander printed the help because the command is missing: no further message.
  if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
  const cause = error instanceof CommanderError ? toUsageError(error) : error;
  if (cause === undefined) return exitCodes.done;
  const failure = toFailure(cause);
  const json = args.includes("--json");
  stderr.write(json ? `${failureBody(failure)}\n` : formatFailure(failure, openStyle(stderr, env)));
  if (env.HEARBACK_DEBUG === "1") stderr.write(`${redactKeys(inspect(error))}\n`);
  return failure.exitCode;
}
