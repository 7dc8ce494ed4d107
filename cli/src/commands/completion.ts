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
    .summary("let your shell complete commands and options")
    .description("Writes a script that lets your shell complete commands, options and their values.")
    .addArgument(new Argument("<shell>", "for which shell").choices(Object.keys(shells)))
    .action((shell: Shell) => void context.stdout.write(shells[shell](completionTree(program))));
  withExamples(
    command,
    ["source <(hearback completion bash)", "bash, for this session"],
    ["hearback completion bash > ~/.local/share/bash-completion/completions/hearback", "bash, for all that follow"],
    ["hearback completion zsh > /usr/local/share/zsh/site-functions/_hearback", "zsh"],
    ["hearback completion fish > ~/.config/fish/completions/hearback.fish", "fish"],
  );
}
