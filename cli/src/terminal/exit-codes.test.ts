import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { exitCodeMeanings, exitCodes } from "./exit-codes.ts";

test("docs/command.md lists exactly the exit codes of the command", async () => {
  const guide = await readFile(new URL("../../../docs/command.md", import.meta.url), "utf8");
  const part = guide.slice(guide.indexOf("## Exit codes"));
  const rows = [...part.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [code, meaning]);
  expect(rows).toEqual(Object.entries(exitCodeMeanings));
  expect(Object.keys(exitCodeMeanings).map(Number)).toEqual(Object.values(exitCodes));
});
