import type { CompletionNode, CompletionOption } from "./completion-tree.ts";

/** Completion script for zsh: one _arguments function per command. */
export function zshCompletion(nodes: readonly CompletionNode[]): string {
  return `#compdef hearback
# zsh completion for hearback. Write it to a file named _hearback in a folder of your $fpath:
#   hearback completion zsh > /usr/local/share/zsh/site-functions/_hearback
${nodes.map(toFunction).join("\n")}
if [ "$funcstack[1]" = "_hearback" ]; then _hearback "$@"; else compdef _hearback hearback; fi
`;
}

const functionOf = (path: string) => `_hearback${path === "" ? "" : `_${path.replaceAll(/[ -]/g, "_")}`}`;

function toFunction(node: CompletionNode): string {
  const specs = node.options.flatMap(optionSpecs);
  if (node.commands.length === 0) {
    const argument =
      node.choices.length > 0 ? [`'1: :(${node.choices.join(" ")})'`] : node.takesFile ? ["'*:file:_files'"] : [];
    return `${functionOf(node.path)}() {\n  _arguments -s \\\n    ${[...specs, ...argument].join(" \\\n    ")}\n}`;
  }
  const described = node.commands.map(({ name, about }) => `'${escaped(name)}:${escaped(about)}'`);
  const cases = node.commands.map(({ name }) => `      ${name}) ${functionOf(`${node.path} ${name}`.trim())} ;;`);
  return `${functionOf(node.path)}() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(
    ${described.join("\n    ")}
  )
  _arguments -C -s \\
    ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(" \\\n    ")}
  case "$state" in
    command) _describe command commands ;;
    rest) case "$line[1]" in
${cases.join("\n")}
    esac ;;
  esac
}`;
}

function optionSpecs({ flags, about, takesValue, choices, takesFile }: CompletionOption): string[] {
  const value = choices.length > 0 ? `:value:(${choices.join(" ")})` : takesFile ? ":file:_files" : ":value: ";
  // "*" lets an option repeat. It is harmless for options that must not.
  return flags.map(
    (flag) =>
      `'${takesValue ? "*" : ""}${flag}[${escaped(about).replaceAll(/[[\]]/g, "\\$&")}]${takesValue ? value : ""}'`,
  );
}

// For single quotes. A colon separates the parts of a spec.
const escaped = (text: string) => text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
