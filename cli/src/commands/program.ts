import { Command, type CommanderError } from "commander";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodeMeanings, exitCodes } from "../terminal/exit-codes.ts";
import type { Context } from "./context.ts";

const examples = `
Examples:
  # once: where the service is, and the key
  hearback login

  # whether everything is there that an import needs
  hearback doctor --campaign support-fr

  # every command explains itself
  hearback calls list --help`;

const settings = `
Settings (environment):
  HEARBACK_URL, HEARBACK_API_KEY   the service and the key, instead of hearback login
  NO_COLOR                         no colours
  HEARBACK_DEBUG=1                 shows where an unforeseen error happened`;

const exits = `
Exit codes:
${Object.entries(exitCodeMeanings)
  .map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
  .join("\n")}`;

/** The program with what all its commands have in common; commands are added to it. */
export function openProgram(context: Context, version: string): Command {
  const { stdout, stderr, style } = context;
  return (
    new Command("hearback")
      .description("Brings recorded calls to Hearback, by the hundred thousand, and proves that they are there.")
      .version(version, "-V, --version", "show the version")
      .helpOption("-h, --help", "show what a command takes, with examples")
      .helpCommand("help [command]", "show what a command takes, with examples")
      .option("--json", "write JSON: one object to a line for lists, errors on stderr")
      .option("--profile <name>", "use the login that was saved under this name")
      .option("-q, --quiet", "say nothing but results and errors")
      .configureHelp({
        showGlobalOptions: true,
        styleTitle: style.bold,
      })
      // What went wrong is told in one place, at the end of main.ts.
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

/** Examples below a command's help: what to type, and what it does. */
export function withExamples(
  command: Command,
  ...examples: readonly (readonly [line: string, does: string])[]
): Command {
  const lines = examples.map(([line, does]) => `  # ${does}\n  ${line}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n\n")}`);
}

/** Commander's way of saying that something is wrong, as ours; undefined where nothing is. */
export function usageFailure(error: CommanderError): CommandError | undefined {
  if (error.exitCode === 0) return undefined;
  const said = error.message
    .replace(/^error: /, "")
    .replaceAll(/'([^']*)'/g, '"$1"')
    .split("\n");
  const [first = "", suggestion] = said;
  return new CommandError(`${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!]$/.test(first) ? "" : "."}`, {
    exitCode: exitCodes.usage,
    code: error.code.replace("commander.", "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    fix: suggestion ? suggestion.replace(/^\(|\)$/g, "") : "Add --help to see what it takes.",
  });
}
