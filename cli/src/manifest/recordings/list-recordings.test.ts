import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../testing/manifest-folder.ts";
import { type Listed, listRecordings } from "./list-recordings.ts";

async function listOf(root: string) {
  const list = await listRecordings(root);
  onTestFinished(() => list.close());
  return async () => {
    const all: Listed[] = [];
    for await (const some of list.read()) all.push(...some);
    return all;
  };
}

test("returns the same names in the same order after the folder changed", async () => {
  const names = Array.from({ length: 2000 }, (_, at) => `sub/${"é".repeat(at % 7)}\n${at}.wav`);
  const root = await makeFolder(Object.fromEntries(names.map((name) => [name, ""])));
  const read = await listOf(root);
  const before = await read();
  expect(before.map((item) => ("file" in item ? item.file : "")).toSorted()).toEqual(names.toSorted());
  await writeFile(join(root, "new.wav"), "");
  await rm(join(root, names[1000] ?? ""));
  expect(await read()).toEqual(before);
});

test("lists a folder that cannot be read", async () => {
  expect(await (await listOf("/nowhere"))()).toEqual([{ folder: "", error: "ENOENT" }]);
});
