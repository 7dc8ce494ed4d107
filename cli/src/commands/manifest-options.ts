import { basename, join, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Manifest } from "../manifest/open-manifest.ts";
import { recipeNames } from "../manifest/recipe-names.ts";

/** What says which calls there are, and what their columns mean. */
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

/** Gives a command the manifest as its argument, and the options that explain it. */
export function takesManifest(command: Command): Command {
  return command
    .argument("[manifest]", "a CSV or JSON lines, one row for each call; - reads it from standard input")
    .requiredOption("--recordings <folder>", "where the recordings are")
    .option("--campaign <id>", "the campaign of all calls")
    .option("--time-format <format>", "how the times are written, such as 'dd/MM/yyyy HH:mm:ss'")
    .option("--time-zone <zone>", "where the clock of the telephone system stands, such as Europe/Paris")
    .addOption(
      new Option("--ambiguous <which>", "times that occur twice when summer time ends").choices(["earlier", "later"]),
    )
    .option("--agents <file>", "a CSV agent,email,name: who is meant by a number or name of the telephone system")
    .addOption(
      new Option(
        "--recipe <name>",
        "what the columns of a telephone system mean, as it comes with the command",
      ).choices(recipeNames()),
    )
    .option("--mapping <file>", "what the columns mean, in a file of your own")
    .option("--map <field=column>", "what one column means; may be repeated", gather, [])
    .option("--pattern <pattern>", "without a manifest: what the names of the files say")
    .option("--state <folder>", "where to note what is done; beside the manifest if absent");
}

export async function openChosenManifest(
  path: string | undefined,
  options: ManifestOptions,
  input: NodeJS.ReadableStream,
): Promise<Manifest> {
  const { recordings, pattern, recipe, mapping, map, agents, campaign, timeFormat, timeZone, ambiguous } = options;
  // Loaded by whom needs it: the help of a command does not.
  const { loadMapping } = await import("../manifest/load-mapping.ts");
  const { openManifest } = await import("../manifest/open-manifest.ts");
  return openManifest({
    ...{ manifest: path, input, recordings, pattern, campaign, timeFormat, timeZone, ambiguous },
    agentsFile: agents,
    mapping: await loadMapping({ recipe, mappingFile: mapping, maps: map }),
  });
}

/** Where a run notes what it has done, for the next: beside what it imports, unless another folder is named. */
export function stateFolder(path: string | undefined, { state, recordings }: ManifestOptions): string {
  if (state !== undefined) return resolve(state);
  if (path === undefined) return join(resolve(recordings), ".hearback");
  if (path === "-") return resolve("stdin.hearback");
  // A file of failures belongs to the import that it comes from.
  if (resolve(path, "..").endsWith(".hearback")) return resolve(path, "..");
  return join(resolve(path, ".."), `${basename(path)}.hearback`);
}

/** For options that are whole numbers. */
export const countTo = (most: number) => (value: string) => {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  return count;
};
