import { Argument, type Command } from "commander";
import { bashCompletion } from "./completion-bash.ts";
import { fishCompletion } from "./completion-fish.ts";
import { completionTree } from "./completion-tree.ts";
import { zshCompletion } from "./completion-zsh.ts";
import type { Context } from "./context.ts";
import { withExamples } from "./program.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof shells;

export function completionCommand(program: Command, context: Context): void {
  const command = program
    .command("completion")
    .summary("print a shell completion script")
    .description("Print a script that completes commands, options and their values in your shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(shells)))
    .action((shell: Shell) => void context.stdout.write(shells[shell](completionTree(program))));
  withExamples(
    command,
    ["source <(hearback completion bash)", "bash, this session only"],
    ["hearback completion bash > ~/.local/share/bash-completion/completions/hearback", "bash, all sessions"],
    ["hearback completion zsh > /usr/local/share/zsh/site-functions/_hearback", "zsh"],
    ["hearback completion fish > ~/.config/fish/completions/hearback.fish", "fish"],
  );
}
