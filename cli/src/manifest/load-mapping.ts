import { readFile } from "node:fs/promises";
import { ManifestError, quote } from "./finding-codes.ts";
import { type Field, fields, type Mapping, mergeMappings, parseMapping } from "./mapping.ts";
import { recipeNames, recipes } from "./recipe-names.ts";

export interface MappingSources {
  /** Name of a built-in mapping. */
  readonly recipe?: string | undefined;
  /** Path of a mapping file. */
  readonly mappingFile?: string | undefined;
  /** Single fields from --map, such as "time=start". */
  readonly maps?: readonly string[] | undefined;
}

/** Merges the mapping sources. Precedence: --map, then the mapping file, then the recipe. */
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
        detail: `Unknown recipe ${quote(name)}.`,
        fix: `Use one of: ${known.join(", ")}. Or use your own file with --mapping.`,
      },
    ]);
  return parseMapping(await readFile(new URL(`${name}.json`, recipes), "utf8"), `The recipe ${name}`);
}

async function readMapping(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    const detail = `Cannot read the mapping file ${quote(path)} (${error.code}).`;
    throw new ManifestError([{ code: "mapping_missing", detail, fix: "Check the path in --mapping." }]);
  });
}

/** Parses "time=start" or, with braces, a template: "file={id}.wav". */
function parseMap(map: string): Mapping {
  const cut = map.indexOf("=");
  const field = map.slice(0, cut).trim();
  const from = map.slice(cut + 1).trim();
  if (cut < 1 || field === "" || from === "")
    throw new ManifestError([
      {
        code: "mapping_invalid",
        detail: `--map ${quote(map)} lacks a field or a column.`,
        fix: "Use --map FIELD=COLUMN, such as --map time=start, or a template: --map 'file={id}.wav'.",
      },
    ]);
  const template = /[{}]/.test(from) ? from : `{${from}}`;
  const known = field === "campaign_id" ? "campaign" : field;
  if (known === "time") return { time: { from: template } };
  return fields.includes(known as Field) ? { [known]: template } : { metadata: { [field]: template } };
}
