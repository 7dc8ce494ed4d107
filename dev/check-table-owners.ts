#!/usr/bin/env node
// Fails if a folder of the server writes to a table of another one (server/src/table-owners.ts), or to one that the code does not name.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foreignWrites, tableOwners } from "../server/src/table-owners.ts";

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const owners = new Map(Object.entries(tableOwners).map(([table, owner]) => [toSnake(table), owner as string]));

/** Kysely's writes, and those in SQL. `update` is followed by words other than tables, too, such as `for update of`. */
const writes =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?:"(?<kysely>\w+)|(?<computed>[^")\s]+))|\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?:(?<sql>[a-z_]+)\b|(?<computedSql>\$\{))/g;
/** Tables whose names are computed, in lists of names: `["session", "credential"] as const`. */
const lists = /\[((?:\s*"\w+",?)+)\s*\]\s*as const/g;

/** The tables that a source writes to; `computed` for SQL with a computed name. */
export function findWrites(source: string): string[] {
  const found = new Set<string>();
  let computes = false;
  let computesSql = false;
  for (const { groups = {} } of source.matchAll(writes)) {
    const table = groups.kysely ? toSnake(groups.kysely) : groups.sql;
    if (table && owners.has(table)) found.add(table);
    computes ||= groups.computed !== undefined;
    computesSql ||= groups.computedSql !== undefined;
  }
  if (computesSql) found.add("computed");
  if (computes)
    for (const [, list = ""] of source.matchAll(lists))
      for (const [, name = ""] of list.matchAll(/"(\w+)"/g)) if (owners.has(toSnake(name))) found.add(toSnake(name));
  return [...found].sort();
}

/** Writes of a file to tables of other folders, each as `file: table`. */
export const findForeignWrites = (file: string, source: string): string[] =>
  findWrites(source)
    .filter((table) => owners.get(table) !== file.split("/", 1)[0])
    .map((table) => `${file}: ${table}`);

function check(): boolean {
  const root = join(import.meta.dirname, "../server/src");
  const files = globSync("**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts") && !file.startsWith("testing/"),
  );
  const found = new Set(files.flatMap((file) => findForeignWrites(file, readFileSync(join(root, file), "utf8"))));
  const wrong = [...found].filter((write) => !(write in foreignWrites));
  const outdated = Object.keys(foreignWrites).filter((write) => !found.has(write));
  for (const write of wrong) {
    const owner = owners.get(write.split(": ")[1] ?? "");
    console.error(
      `server/src/${write} belongs to server/src/${owner}: call a function there, or define a hook (platform/hooks.ts)`,
    );
  }
  for (const write of outdated) console.error(`server/src/table-owners.ts: nothing writes "${write}" any longer`);
  return wrong.length + outdated.length === 0;
}

if (import.meta.main) process.exitCode = check() ? 0 : 1;
