import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { marks } from "../terminal/style.ts";
import { formatBytes } from "../terminal/units.ts";
import { refuseToOverwrite, writeFileAtomically } from "../terminal/write-file.ts";
import { type Context, globalOptions } from "./context.ts";

interface DownloadOptions {
  readonly id: string;
  readonly original?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

export async function downloadCall(context: Context, command: Command, options: DownloadOptions): Promise<void> {
  const { id, original = false, force = false } = options;
  const { signal, stdout } = context;
  const { client } = await context.connect(command);
  if (options.output !== undefined && options.output !== "-") await refuseToOverwrite(options.output, { force });
  // The extension of the original comes from the call's format field.
  const ending =
    original && options.output === undefined ? (await client.calls.find(id, { signal })).recording.format : "m4a";
  const { body } = await client.calls.audio(id, { original, signal });
  if (options.output === "-") return pipeline(body, stdout, { signal, end: false });
  // The id is user input and may contain a slash.
  const file = options.output ?? `${id.replaceAll(/[^0-9A-Za-z-]/g, "_")}.${ending}`;
  let bytes = 0;
  const counting = async function* () {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  await writeFileAtomically(file, counting(), { force, signal });
  if (globalOptions(command).json) return context.print(JSON.stringify({ id, file, bytes, original }));
  context.print(`${marks(context.style).good} ${file} (${formatBytes(bytes)})`);
}
