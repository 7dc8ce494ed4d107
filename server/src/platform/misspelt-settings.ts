import { closestName } from "@hearback/scoring/closest-name";
import { settingNames } from "./config.ts";

/** Shorter names of other programs resemble ours: SHELL and CELL. */
const shortest = 8;
const known = settingNames.map((name) => name.toLowerCase());

/** Warnings about environment variables that are not settings and resemble one. */
export function findMisspeltSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment).flatMap((name) => {
    if (name.length < shortest || settingNames.includes(name)) return [];
    const closest = closestName(name, known);
    return closest ? [`${name} is not a setting and has no effect. Do you mean ${closest.toUpperCase()}?`] : [];
  });
}
