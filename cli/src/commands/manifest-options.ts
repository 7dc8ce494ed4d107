import { basename, join, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Manifest } from "../manifest/open-manifest.ts";
import { recipeNames } from "../manifest/recipe-names.ts";

/** Options that select the manifest and map its columns. */
export interface ManifestOptions {
  readonly recordings: string;
  readonly pattern?: string;
  readonly recipe?: string;
  readonly mapping?: string;
  readonly map: readonly string[];
  readonly agents?: string;
  readonly campaign?: string;
  readonly timeFormat?: string;
  readonly timeZone?: string;
  readonly ambiguous?: "earlier" | "later";
  readonly state?: string;
}

const gather = (value: string, before: readonly string[]) => [...before, value];

/** Adds the manifest argument and its options to a command. */
export function withManifestOptions(command: Command): Command {
  return command
    .argument("[manifest]", "CSV or JSON lines file, one row per call; - for standard input")
    .requiredOption("--recordings <folder>", "folder with the recordings")
    .option("--campaign <id>", "campaign for all calls")
    .option("--time-format <format>", "format of the times, such as 'dd/MM/yyyy HH:mm:ss'")
    .option("--time-zone <zone>", "time zone of the phone system's clock, such as Europe/Paris")
    .addOption(
      new Option("--ambiguous <which>", "how to read times that occur twice when daylight saving time ends").choices([
        "earlier",
        "later",
      ]),
    )
    .option("--agents <file>", "CSV file agent,email,name that maps the phone system's agent ids to email addresses")
    .addOption(new Option("--recipe <name>", "built-in column mapping for a phone system").choices(recipeNames()))
    .option("--mapping <file>", "your own column mapping file")
    .option("--map <field=column>", "map one column; repeat for several", gather, [])
    .option("--pattern <pattern>", "file name pattern, instead of a manifest")
    .option("--state <folder>", "folder for the import state (default: next to the manifest)");
}

export async function openSelectedManifest(
  path: string | undefined,
  options: ManifestOptions,
  input: NodeJS.ReadableStream,
): Promise<Manifest> {
  const { recordings, pattern, recipe, mapping, map, agents, campaign, timeFormat, timeZone, ambiguous } = options;
  // Lazy import: --help starts faster.
  const { loadMapping } = await import("../manifest/load-mapping.ts");
  const { openManifest } = await import("../manifest/open-manifest.ts");
  return openManifest({
    manifest: path,
    input,
    recordings,
    pattern,
    campaign,
    timeFormat,
    timeZone,
    ambiguous,
    agentsFile: agents,
    mapping: await loadMapping({ recipe, mappingFile: mapping, maps: map }),
  });
}

/** Folder that stores the import state between runs. Default: next to the manifest. */
export function stateFolder(path: string | undefined, { state, recordings }: ManifestOptions): string {
  if (state !== undefined) return resolve(state);
  if (path === undefined) return join(resolve(recordings), ".hearback");
  if (path === "-") return resolve("stdin.hearback");
  // A failures file shares the state of the import that wrote it.
  if (resolve(path, "..").endsWith(".hearback")) return resolve(path, "..");
  return join(resolve(path, ".."), `${basename(path)}.hearback`);
}

/** Parser for options that take a whole number from 1 to `max`. */
export const parseCount = (max: number) => (value: string) => {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new InvalidArgumentError(`Enter a whole number from 1 to ${max}.`);
  return count;
};
