import { pipeline } from "node:stream/promises";
import type { TranscriptFormat } from "@hearback/sdk";
import type { Command } from "commander";
import { marks } from "../terminal/style.ts";
import { sanitize } from "../terminal/text-width.ts";
import { refuseToOverwrite, writeFileAtomically } from "../terminal/write-file.ts";
import { type Context, globalOptions } from "./context.ts";

interface TranscriptOptions {
  readonly id: string;
  readonly format?: TranscriptFormat;
  readonly output?: string;
  readonly force?: boolean;
}

export async function showTranscript(context: Context, command: Command, options: TranscriptOptions): Promise<void> {
  const { signal, stdout, errorStyle } = context;
  const { id, output = "-", force = false } = options;
  const format = options.format ?? (globalOptions(command).json ? "json" : "text");
  const { client } = await context.connect(command);
  if (output !== "-") await refuseToOverwrite(output, { force });
  const { body } = await client.transcripts.download(id, { format, signal });
  if (output === "-") {
    if (format !== "text") return pipeline(body, stdout, { signal, end: false });
    // What was said comes from outside.
    const text = await new Response(body).text();
    for (const line of text.trimEnd().split("\n")) context.print(sanitize(line));
    return;
  }
  await writeFileAtomically(output, body, { force, signal });
  context.note(command, `${marks(errorStyle).good} Wrote ${output}.`);
}

export async function requestTranscript(context: Context, command: Command, id: string): Promise<void> {
  const { client } = await context.connect(command);
  const call = await client.transcripts.request(id, { signal: context.signal });
  if (globalOptions(command).json) return context.print(JSON.stringify(call));
  context.print(`${marks(context.style).good} ${call.id} is queued to be transcribed.`);
}
