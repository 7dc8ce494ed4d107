import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const folder = new URL("../recipes/", import.meta.url);
const names = ["3cx", "asterisk", "freeswitch", "oreka", "twilio"];

const readRecipe = async (name: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(new URL(`${name}.json`, folder), "utf8"));

/** The columns that a sample has: those the recipe names, those of the header, or the keys of the first line. */
async function columnsOf(name: string, recipe: Record<string, unknown>): Promise<string[]> {
  if (Array.isArray(recipe.columns)) return recipe.columns.map(String);
  const file = (await readdir(new URL("samples/", folder))).find((sample) => sample.startsWith(`${name}.`));
  const [first = ""] = (await readFile(new URL(`samples/${file}`, folder), "utf8")).split("\n");
  return file?.endsWith(".jsonl") ? Object.keys(JSON.parse(first)) : first.split(",");
}

const templatesIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value
      ? Object.values(value).flatMap(templatesIn)
      : [];

test("there is a sample and a page for every recipe, and a recipe for every page", async () => {
  const named = async (path: string, ending: RegExp) =>
    (await readdir(new URL(path, folder))).filter((file) => ending.test(file)).map((file) => file.replace(ending, ""));
  expect((await named(".", /\.json$/)).sort()).toEqual(names);
  expect((await named("samples/", /\.[a-z]+$/)).sort()).toEqual(names);
  expect((await named("../../docs/recipes/", /\.md$/)).sort()).toEqual([...names, "README"].sort());
});

test.each(names)("the recipe %s names only columns that its sample has", async (name) => {
  const { about, columns, separator, rest, only, ...fields } = await readRecipe(name);
  const known = await columnsOf(name, { columns });
  const used = templatesIn(fields).flatMap((template) =>
    [...template.matchAll(/\{([^|{}]+)[|}]/g)].map(([, column]) => column),
  );
  expect(used.filter((column) => !known.includes(column ?? "") && !/^\d+(,\d*)?$/.test(column ?? ""))).toEqual([]);
  expect(Object.keys(only ?? {}).filter((column) => !known.includes(column))).toEqual([]);
  expect(about).toMatch(/./);
});
