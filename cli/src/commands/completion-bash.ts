import type { CompletionNode } from "./completion-tree.ts";

/** A script for bash 3.2 and later, which macOS still has. */
export function bashCompletion(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter(({ path }) => path !== "").map(({ path }) => pattern(path));
  const valued = new Set(
    nodes.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(({ flags }) => flags)),
  );
  return `# bash completion for hearback. To use it now:  source <(hearback completion bash)
# For every shell to come, write it to ~/.local/share/bash-completion/completions/hearback
_hearback() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" files="" i word
  # bash parts --status=ready into three words.
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
${values(nodes)}
  esac
  if [[ -z "$words$files" ]]; then
    case "$path" in
${places(nodes)}
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

/** What follows an option. */
const values = (nodes: readonly CompletionNode[]) =>
  nodes
    .flatMap(({ path, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ flags, choices, takesFile }) => {
          const places = flags.map((flag) => pattern(`${path}:${flag}`)).join("|");
          // Something that nobody can know: nothing is offered.
          return `    ${places}) ${choices.length > 0 ? `words="${choices.join(" ")}"` : takesFile ? "files=yes" : "files=no"} ;;`;
        }),
    )
    .join("\n");

/** What a command takes. */
const places = (nodes: readonly CompletionNode[]) =>
  nodes
    .map(({ path, commands, options, choices, takesFile }) => {
      const words = [...commands.map(({ name }) => name), ...choices, ...options.flatMap(({ flags }) => flags)];
      return `      ${pattern(path)}) words="${words.join(" ")}"${takesFile ? "; files=yes" : ""} ;;`;
    })
    .join("\n");
