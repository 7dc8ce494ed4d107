import { Command, type CommanderError } from "commander";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodeMeanings, exitCodes } from "../terminal/exit-codes.ts";
import type { Context } from "./context.ts";

const examples = `
Examples:
  # save the service URL and an API key
  hearback login

  # find problems before an import
  hearback doctor --campaign support-fr

  # show help for a command
  hearback calls list --help`;

const settings = `
Environment variables:
  HEARBACK_URL, HEARBACK_API_KEY   service URL and API key, instead of hearback login
  NO_COLOR                         disable colours
  HEARBACK_DEBUG=1                 print the stack trace of an unexpected error`;

const exits = `
Exit codes:
${Object.entries(exitCodeMeanings)
  .map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
  .join("\n")}`;

/** Creates the program with its global options. The commands are added to it. */
export function openProgram(context: Context): Command {
  const { stdout, stderr, style } = context;
  return (
    new Command("hearback")
      .description(
        "Import recorded calls into Hearback in bulk, verify that every call arrived, and manage scorecards.",
      )
      .helpOption("-h, --help", "show help with examples")
      .helpCommand("help [command]", "show help for a command")
      .option("--json", "write JSON: one object per line for lists, errors on stderr")
      .option("--profile <name>", "use the login saved under this name")
      .option("-q, --quiet", "print only results and errors")
      .configureHelp({
        showGlobalOptions: true,
        styleTitle: style.bold,
      })
      // run-program.ts reports all errors.
      .configureOutput({
        writeOut: (text) => void stdout.write(text),
        writeErr: (text) => void stderr.write(text),
        outputError: () => {},
        getOutHelpWidth: () => Math.min(stdout.columns ?? 100, 110),
        getErrHelpWidth: () => Math.min(stderr.columns ?? 100, 110),
        getOutHasColors: () => style.colour,
      })
      .exitOverride()
      .addHelpText("after", `${examples}\n${settings}\n${exits}`)
  );
}

/**
 * Whether the command in the arguments has an option --version of its own. Commander recognises options of the program
 * after a command, too, and would print the version of the program instead.
 */
export function hasOwnVersionOption(program: Command, args: readonly string[]): boolean {
  const named = args.reduce(
    (command, arg) => command.commands.find((child) => child.name() === arg) ?? command,
    program,
  );
  return named.options.some(({ long }) => long === "--version");
}

/** Adds examples to a command's help: the command line and its description. */
export function withExamples(
  command: Command,
  ...examples: readonly (readonly [line: string, does: string])[]
): Command {
  const lines = examples.map(([line, does]) => `  # ${does}\n  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n\n")}`);
}

/** Converts a commander error to a CommandError; undefined if it is not an error (help, version). */
export function toUsageError(error: CommanderError): CommandError | undefined {
  if (error.exitCode === 0) return undefined;
  const lines = error.message
    .replace(/^error: /, "")
    .replaceAll(/'([^']*)'/g, '"$1"')
    .split("\n");
  const [first = "", suggestion] = lines;
  return new CommandError(`${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!]$/.test(first) ? "" : "."}`, {
    exitCode: exitCodes.usage,
    code: error.code.replace("commander.", "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    fix: suggestion ? suggestion.replace(/^\(|\)$/g, "") : "Run the command with --help for usage.",
  });
}
