import { readdirSync } from "node:fs";

export const recipes = new URL("../../recipes/", import.meta.url);

/** Names of the built-in recipes. */
export const recipeNames = (): string[] =>
  readdirSync(recipes)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));
