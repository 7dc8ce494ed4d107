import { link, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { moveFile } from "./move-file.ts";

const here = await mkdtemp(join(tmpdir(), "hearback-move-"));
// tmpfs on Linux, usually a different file system than the temporary folder.
const there = await mkdtemp("/dev/shm/hearback-move-").catch(() => mkdtemp(join(tmpdir(), "hearback-moved-")));
afterAll(() => Promise.all([here, there].map((folder) => rm(folder, { recursive: true }))));
beforeEach(async () => {
  for (const folder of [here, there])
    for (const file of await readdir(folder)) await rm(join(folder, file), { recursive: true });
  await writeFile(join(here, "1.wav"), "recording");
  await utimes(join(here, "1.wav"), 1_700_000_000, 1_700_000_000);
});

test.each([
  ["within a file system", join(here, "done")],
  ["to another one", there],
])("moves a file %s and keeps its modification time", async (_, folder) => {
  const to = join(folder, "mon", "1.wav");
  expect(await moveFile(join(here, "1.wav"), to)).toBe(to);
  expect(await readFile(to, "utf8")).toBe("recording");
  expect((await stat(to)).mtimeMs).toBe(1_700_000_000_000);
  await expect(stat(join(here, "1.wav"))).rejects.toThrow("ENOENT");
  expect(await readdir(join(folder, "mon"))).toEqual(["1.wav"]);
});

test.each([
  ["within a file system", here],
  ["on another one", there],
])("does not overwrite a file with the same name %s", async (_, folder) => {
  for (const name of ["x.wav", "x (2).wav"]) await writeFile(join(folder, name), "another  ");
  expect(await moveFile(join(here, "1.wav"), join(folder, "x.wav"))).toBe(join(folder, "x (3).wav"));
  expect(await readFile(join(folder, "x.wav"), "utf8")).toBe("another  ");
});

test("completes an interrupted move", async () => {
  await link(join(here, "1.wav"), join(here, "2.wav"));
  expect(await moveFile(join(here, "1.wav"), join(here, "2.wav"))).toBe(join(here, "2.wav"));
  await writeFile(join(there, "2.wav"), "recording");
  expect(await moveFile(join(here, "2.wav"), join(there, "2.wav"))).toBe(join(there, "2.wav"));
  expect([await readdir(here), await readdir(there)]).toEqual([[], ["2.wav"]]);
});

test("does nothing if source and target are the same file", async () => {
  await symlink(here, join(there, "link"));
  for (const to of [join(here, "1.wav"), join(there, "link", "1.wav")])
    expect(await moveFile(join(here, "1.wav"), to)).toBe(to);
  expect(await readFile(join(here, "1.wav"), "utf8")).toBe("recording");
});

test("fails if the source does not exist", async () => {
  await expect(moveFile(join(here, "none.wav"), join(here, "x.wav"))).rejects.toThrow("ENOENT");
});
