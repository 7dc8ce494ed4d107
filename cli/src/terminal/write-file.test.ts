import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { refuseToOverwrite, writeFileAtomically } from "./write-file.ts";

const disk = vi.hoisted(() => ({ waitMs: 0 }));
vi.mock("node:fs", async (importActual) => {
  const fs = await importActual<typeof import("node:fs")>();
  const open = (...given: Parameters<typeof fs.open>) => void setTimeout(() => fs.open(...given), disk.waitMs);
  const createWriteStream = (path: string, options: object) =>
    fs.createWriteStream(path, { ...options, fs: { ...fs, open } } as object);
  return { ...fs, createWriteStream };
});

const { signal } = new AbortController();
const makeFolder = () => mkdtemp(join(tmpdir(), "hearback-file-"));

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) {
    if (text === "cut") throw new Error("cut");
    yield Buffer.from(text);
  }
}

test("writes a complete file", async () => {
  const folder = await makeFolder();
  await writeFileAtomically(join(folder, "a.csv"), pieces("one", "two"), { force: false, signal });
  expect(await readdir(folder)).toEqual(["a.csv"]);
  expect(await readFile(join(folder, "a.csv"), "utf8")).toBe("onetwo");
});

test("removes the partial file after an error", async () => {
  const folder = await makeFolder();
  await expect(
    writeFileAtomically(join(folder, "a.csv"), pieces("one", "cut"), { force: false, signal }),
  ).rejects.toThrow("cut");
  expect(await readdir(folder)).toEqual([]);
});

test("removes the partial file after an error before it was opened", async () => {
  disk.waitMs = 100;
  const folder = await makeFolder();
  await expect(writeFileAtomically(join(folder, "a.csv"), pieces("cut"), { force: false, signal })).rejects.toThrow(
    "cut",
  );
  await sleep(200);
  expect(await readdir(folder)).toEqual([]);
  disk.waitMs = 0;
});

test("overwrites a file only with force", async () => {
  const folder = await makeFolder();
  const file = join(folder, "a.csv");
  await writeFile(file, "old");
  await expect(refuseToOverwrite(file, { force: false })).rejects.toThrow("already exists");
  // A file created during the download.
  await expect(writeFileAtomically(file, pieces("new"), { force: false, signal })).rejects.toThrow("already exists");
  expect([await readFile(file, "utf8"), await readdir(folder)]).toEqual(["old", ["a.csv"]]);
  await writeFileAtomically(file, pieces("new"), { force: true, signal });
  expect([await readFile(file, "utf8"), await readdir(folder)]).toEqual(["new", ["a.csv"]]);
});
