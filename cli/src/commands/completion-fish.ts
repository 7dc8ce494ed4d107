import type { CompletionNode, CompletionOption } from "./completion-tree.ts";

/** Completion script for fish: one line per command, option and argument. */
export function fishCompletion(nodes: readonly CompletionNode[]): string {
  return `# fish completion for hearback. Write it to ~/.config/fish/completions/hearback.fish
complete -c hearback -f
${nodes.flatMap((node) => toLines(node, nodes)).join("\n")}
`;
}

function toLines(node: CompletionNode, all: readonly CompletionNode[]): string[] {
  const words = node.path.split(" ").filter((word) => word !== "");
  const names = node.commands.map(({ name }) => name);
  const here = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const before = names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(" ")}`] : [];
  // The same word can be a subcommand elsewhere, such as "import" in "hearback agents import".
  const others = all.filter(
    ({ path, commands }) => path !== "" && words.length === 1 && commands.some(({ name }) => name === words[0]),
  );
  const elsewhere = others.map(({ path }) => `not __fish_seen_subcommand_from ${path}`);
  const condition = [...here, ...elsewhere, ...before].join("; and ");
  const line = (rest: string) => `complete -c hearback${condition && ` -n '${condition}'`} ${rest}`;
  return [
    ...node.commands.map(({ name, about }) => line(`-a ${name} -d ${quoted(about)}`)),
    ...(node.choices.length > 0 ? [line(`-a '${node.choices.join(" ")}'`)] : []),
    ...(node.takesFile ? [line("-F")] : []),
    ...node.options.map((option) => line(optionPart(option))),
  ];
}

function optionPart({ flags, about, takesValue, choices, takesFile }: CompletionOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(" ");
  const value = choices.length > 0 ? ` -xa '${choices.join(" ")}'` : takesFile ? " -rF" : takesValue ? " -x" : "";
  return `${names}${value} -d ${quoted(about)}`;
}

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
