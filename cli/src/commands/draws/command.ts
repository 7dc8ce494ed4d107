import { Argument, type Command } from "commander";
import type { Context } from "../context.ts";
import { withExamples } from "../program.ts";

// The actions are imported lazily: hashing would slow down the start of all other commands.
export function drawsCommand(program: Command, context: Context): void {
  const draws = program
    .command("draws")
    .summary("check how calls were drawn for review")
    .description("Download and verify the proofs of draws: which calls could be drawn, and why these were.");
  withExamples(
    draws,
    ["hearback draws list", "show the draws of all plans"],
    ["hearback draws proof 0190f3c2-6c0b-7d6e-9b0e-4d0f6a3b1f2c draw.jsonl", "download the proof of a draw"],
    ["hearback draws verify draw.jsonl", "recompute the draw, without the service"],
  );
  for (const add of [addList, addProof, addVerify]) add(draws, context);
}

function addList(draws: Command, context: Context): void {
  const command = draws
    .command("list")
    .summary("list draws")
    .description("List draws, newest first. Requires an API key with the read or review scope.")
    .option("--plan <id>", "only the draws of this plan")
    .action(async (options, self: Command) => (await import("./list.ts")).listDraws(context, self, options));
  withExamples(command, ["hearback draws list", "show a table"]);
}

function addProof(draws: Command, context: Context): void {
  const command = draws
    .command("proof")
    .summary("download the proof of a draw")
    .description(
      "Download the proof of a draw: every call that could be drawn, and what was published before and after.",
    )
    .argument("<draw>", "the id of the draw")
    .argument("[file]", "the file to write (default: named after the draw)")
    .option("--agent <id>", "only the part of this agent")
    .option("--force", "overwrite an existing file")
    .action(async (id: string, file: string | undefined, options, self: Command) =>
      (await import("./proof.ts")).downloadProof(context, self, { ...options, id, file }),
    );
  withExamples(command, ["hearback draws proof 0190f3c2-6c0b-7d6e-9b0e-4d0f6a3b1f2c", "write a file to verify"]);
}

function addVerify(draws: Command, context: Context): void {
  const command = draws
    .command("verify")
    .summary("verify the proof of a draw")
    .description(
      "Recompute a draw from its proof: the key is the one that was committed to, the calls are those whose root was published, and the drawn calls have the smallest tickets. Needs no service and no API key.",
    )
    .addArgument(new Argument("<files...>", "files from `hearback draws proof` or from the console"))
    .action(async (files: readonly string[], _options, self: Command) =>
      (await import("./verify.ts")).verifyDraws(context, self, files),
    );
  withExamples(
    command,
    ["hearback draws verify draw.jsonl", "verify one draw"],
    ["hearback draws verify --json *.jsonl | jq .ok", "verify many"],
  );
}
