import type { CompletionNode } from "./completion-tree.ts";

/** Completion script for bash 3.2 (the version macOS ships) and later. */
export function bashCompletion(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter(({ path }) => path !== "").map(({ path }) => pattern(path));
  const valued = new Set(
    nodes.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(({ flags }) => flags)),
  );
  return `# bash completion for hearback. To load it in this session:  source <(hearback completion bash)
# To load it in every session, write it to ~/.local/share/bash-completion/completions/hearback
_hearback() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" files="" i word
  # bash splits --status=ready into three words.
  if [[ "$cur" == "=" ]]; then cur=""; fi
  if [[ "$prev" == "=" ]] && ((COMP_CWORD > 1)); then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in
      ${[...valued].join("|")}) i=$((i + 1)); continue ;;
    esac
    case "\${path:+$path }$word" in
      ${paths.join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path:$prev" in
${optionCases(nodes)}
  esac
  if [[ -z "$words$files" ]]; then
    case "$path" in
${commandCases(nodes)}
    esac
  fi
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
    [[ -z "$words" ]] || compgen -W "$words" -- "$cur"
    [[ "$files" != yes || "$cur" == -* ]] || compgen -f -- "$cur"
  )
}
complete -o filenames -o bashdefault -F _hearback hearback
`;
}

const pattern = (path: string) => `"${path}"`;

/** One case per option: the values that can follow it. */
const optionCases = (nodes: readonly CompletionNode[]) =>
  nodes
    .flatMap(({ path, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ flags, choices, takesFile }) => {
          const commandCases = flags.map((flag) => pattern(`${path}:${flag}`)).join("|");
          // Free text: offer nothing.
          return `    ${commandCases}) ${choices.length > 0 ? `words="${choices.join(" ")}"` : takesFile ? "files=yes" : "files=no"} ;;`;
        }),
    )
    .join("\n");

/** One case per command: its subcommands, choices and options. */
const commandCases = (nodes: readonly CompletionNode[]) =>
  nodes
    .map(({ path, commands, options, choices, takesFile }) => {
      const words = [...commands.map(({ name }) => name), ...choices, ...options.flatMap(({ flags }) => flags)];
      return `      ${pattern(path)}) words="${words.join(" ")}"${takesFile ? "; files=yes" : ""} ;;`;
    })
    .join("\n");
