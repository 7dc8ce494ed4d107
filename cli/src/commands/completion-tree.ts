import type { Command, Option } from "commander";

/** A command with everything a shell can complete after it. */
export interface CompletionNode {
  /** "" for the program itself, "calls list" for a subcommand. */
  readonly path: string;
  readonly about: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly CompletionOption[];
  /** Allowed values of the first argument; empty if it is free text. */
  readonly choices: readonly string[];
  readonly takesFile: boolean;
}

export interface CompletionOption {
  readonly flags: readonly string[];
  readonly about: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly takesFile: boolean;
}

const fileArguments = /file|folder|path|manifest|dir/i;

/** Builds the tree from the program's own definition, so new commands complete automatically. */
export function completionTree(program: Command): CompletionNode[] {
  const shared = program.options.filter(({ long }) => long !== "--version");
  const walk = (command: Command, path: string): CompletionNode[] => {
    const below = visible(command);
    const own = command === program ? command.options : [...command.options, ...shared];
    const argument = command.registeredArguments[0];
    const node = {
      path,
      about: summaryOf(command),
      commands: below.map((child) => ({ name: child.name(), about: summaryOf(child) })),
      options: [...own.filter(({ hidden }) => !hidden).map(toOption), help],
      choices: argument?.argChoices ?? [],
      takesFile: command.registeredArguments.some((argument) => fileArguments.test(argument.name())),
    };
    return [node, ...below.flatMap((child) => walk(child, `${path} ${child.name()}`.trim()))];
  };
  return walk(program, "");
}

const help: CompletionOption = {
  flags: ["-h", "--help"],
  about: "show help with examples",
  takesValue: false,
  choices: [],
  takesFile: false,
};

// Commander's help excludes hidden commands. "help" itself needs no completion.
const visible = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== "help");

function toOption(option: Option): CompletionOption {
  const takesValue = option.required || option.optional;
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    about: option.description,
    takesValue,
    choices: option.argChoices ?? [],
    takesFile: fileArguments.test(/[<[].*$/.exec(option.flags)?.[0] ?? ""),
  };
}

const summaryOf = (command: Command) => command.summary() || command.description();
