import { pipeline } from "node:stream/promises";
import type { CallFilter } from "@hearback/sdk";
import type { Command } from "commander";
import { marks } from "../terminal/style.ts";
import { refuseToOverwrite, writeFileAtomically } from "../terminal/write-file.ts";
import { pickFilters } from "./call-filters.ts";
import type { Context } from "./context.ts";

interface ExportOptions extends CallFilter {
  readonly format: "csv" | "jsonl";
  readonly output?: string;
  readonly force?: boolean;
  readonly transcripts?: boolean;
}

export async function exportCalls(context: Context, command: Command, options: ExportOptions): Promise<void> {
  const { signal, stdout, errorStyle } = context;
  const { format, output = "-", force = false, transcripts } = options;
  const { client } = await context.connect(command);
  if (output !== "-") await refuseToOverwrite(output, { force });
  const { body } = await client.calls.export({ ...pickFilters(options), format, transcripts, signal });
  if (output === "-") return pipeline(body, stdout, { signal, end: false });
  await writeFileAtomically(output, body, { force, signal });
  context.note(command, `${marks(errorStyle).good} Wrote ${output}.`);
}
