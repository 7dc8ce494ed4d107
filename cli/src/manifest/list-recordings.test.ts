import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Listed, listRecordings } from "./list-recordings.ts";
import { aFolder } from "./testing/manifest-folder.ts";

async function listOf(root: string) {
  const list = await listRecordings(root);
  onTestFinished(() => list.close());
  return async () => {
    const all: Listed[] = [];
    for await (const some of list.read()) all.push(...some);
    return all;
  };
}

test("says the same names in the same order, whatever happens in the folder meanwhile", async () => {
  const names = Array.from({ length: 2000 }, (_, at) => `sub/${"é".repeat(at % 7)}\n${at}.wav`);
  const root = await aFolder(Object.fromEntries(names.map((name) => [name, ""])));
  const read = await listOf(root);
  const before = await read();
  expect(before.map((one) => ("file" in one ? one.file : "")).toSorted()).toEqual(names.toSorted());
  await writeFile(join(root, "new.wav"), "");
  await rm(join(root, names[1000] ?? ""));
  expect(await read()).toEqual(before);
});

test("keeps a folder that cannot be read as such", async () => {
  expect(await (await listOf("/nowhere"))()).toEqual([{ folder: "", error: "ENOENT" }]);
});
