import type { Command } from "commander";
import { marks } from "../../terminal/style.ts";
import { refuseToOverwrite, writeFileAtomically } from "../../terminal/write-file.ts";
import { type Context, globalOptions } from "../context.ts";

interface ProofOptions {
  readonly id: string;
  readonly file?: string | undefined;
  readonly agent?: string | undefined;
  readonly force?: boolean | undefined;
}

export async function downloadProof(context: Context, command: Command, options: ProofOptions): Promise<void> {
  const { id, agent: agentId, force = false } = options;
  // The id is user input and may contain a slash.
  const file = options.file ?? `draw-${id.replaceAll(/[^0-9A-Za-z-]/g, "_")}.jsonl`;
  await refuseToOverwrite(file, { force });
  const { signal } = context;
  const { client } = await context.connect(command);
  const { body } = await client.draws.proof(id, { agentId, signal });
  await writeFileAtomically(file, body, { force, signal });
  if (globalOptions(command).json) return context.print(JSON.stringify({ id, file }));
  context.print(`${marks(context.style).good} ${file}`);
  context.note(command, context.errorStyle.dim(`Verify it: hearback draws verify ${file}`));
}
