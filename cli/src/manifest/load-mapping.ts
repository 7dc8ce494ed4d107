import { readFile } from "node:fs/promises";
import { ManifestError, quote } from "./finding-codes.ts";
import { type Field, fields, type Mapping, mergeMappings, parseMapping } from "./mapping.ts";
import { recipeNames, recipes } from "./recipe-names.ts";

export interface MappingSources {
  /** One that comes with the command, by its name. */
  readonly recipe?: string | undefined;
  /** A file of one's own. */
  readonly mappingFile?: string | undefined;
  /** Single fields, as on the command line: "time=start". */
  readonly maps?: readonly string[] | undefined;
}

/** Puts together what is said about the columns: a recipe, changed by a file, changed by single fields. */
export async function loadMapping({ recipe, mappingFile, maps = [] }: MappingSources): Promise<Mapping> {
  const layers = [
    recipe === undefined ? {} : await readRecipe(recipe),
    mappingFile === undefined ? {} : parseMapping(await readMapping(mappingFile), mappingFile),
    ...maps.map(parseMap),
  ];
  return layers.reduce(mergeMappings);
}

async function readRecipe(name: string): Promise<Mapping> {
  const known = recipeNames();
  if (!known.includes(name))
    throw new ManifestError([
      {
        code: "recipe_unknown",
        detail: `There is no recipe ${quote(name)}.`,
        fix: `Choose one of these: ${known.join(", ")}; or load a file of your own with --mapping.`,
      },
    ]);
  return parseMapping(await readFile(new URL(`${name}.json`, recipes), "utf8"), `The recipe ${name}`);
}

async function readMapping(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    const detail = `The mapping file ${quote(path)} cannot be read (${error.code}).`;
    throw new ManifestError([{ code: "mapping_missing", detail, fix: "Check the path given with --mapping." }]);
  });
}

/** "time=start": the field is the column's; with braces it is a template. */
function parseMap(map: string): Mapping {
  const cut = map.indexOf("=");
  const field = map.slice(0, cut).trim();
  const from = map.slice(cut + 1).trim();
  if (cut < 1 || field === "" || from === "")
    throw new ManifestError([
      {
        code: "mapping_invalid",
        detail: `--map ${quote(map)} has no name, or no column.`,
        fix: "Write --map FIELD=COLUMN, such as --map time=start, or a template: --map 'file={id}.wav'.",
      },
    ]);
  const template = /[{}]/.test(from) ? from : `{${from}}`;
  const known = field === "campaign_id" ? "campaign" : field;
  if (known === "time") return { time: { from: template } };
  return fields.includes(known as Field) ? { [known]: template } : { metadata: { [field]: template } };
}
