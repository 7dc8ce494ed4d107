import type { Command, Option } from "commander";

/** What can be typed after a command, as a shell needs it. */
export interface CompletionNode {
  /** "" for the program itself, "calls list" for a command below. */
  readonly path: string;
  readonly about: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly CompletionOption[];
  /** What its first argument may be, if only these are possible. */
  readonly choices: readonly string[];
  /** Whether it takes the name of a file. */
  readonly takesFile: boolean;
}

export interface CompletionOption {
  readonly flags: readonly string[];
  readonly about: string;
  /** Whether something follows it. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly takesFile: boolean;
}

const filePlaces = /file|folder|path|manifest|dir/i;

/** Everything that the program takes, from the program itself: a command that is added completes at once. */
export function completionTree(program: Command): CompletionNode[] {
  const shared = program.options.filter(({ long }) => long !== "--version");
  const walk = (command: Command, path: string): CompletionNode[] => {
    const below = visible(command);
    const own = command === program ? command.options : [...command.options, ...shared];
    const argument = command.registeredArguments[0];
    const node = {
      path,
      about: shortly(command),
      commands: below.map((child) => ({ name: child.name(), about: shortly(child) })),
      options: [...own.filter(({ hidden }) => !hidden).map(toOption), help],
      choices: argument?.argChoices ?? [],
      takesFile: command.registeredArguments.some((one) => filePlaces.test(one.name())),
    };
    return [node, ...below.flatMap((child) => walk(child, `${path} ${child.name()}`.trim()))];
  };
  return walk(program, "");
}

const help: CompletionOption = {
  ...{ flags: ["-h", "--help"], about: "show what it takes, with examples" },
  ...{ takesValue: false, choices: [], takesFile: false },
};

// Commander's own help knows which commands are hidden; the command "help" itself needs no completion.
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
    takesFile: filePlaces.test(/[<[].*$/.exec(option.flags)?.[0] ?? ""),
  };
}

const shortly = (command: Command) => command.summary() || command.description();
