import { readdirSync } from "node:fs";
import { packageFolder } from "../package-folder.ts";

export const recipes = new URL("recipes/", packageFolder);

/** Names of the built-in recipes. */
export const recipeNames = (): string[] =>
  readdirSync(recipes)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));
