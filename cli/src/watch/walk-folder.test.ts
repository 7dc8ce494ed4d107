import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { walkFolder } from "./walk-folder.ts";

const root = await mkdtemp(join(tmpdir(), "hearback-walk-"));
afterAll(() => rm(root, { recursive: true }));

async function walk(except: string[] = [], signal = new AbortController().signal) {
  const found: string[] = [];
  for await (const path of walkFolder(root, { except: new Set(except), signal })) found.push(path);
  return found.sort();
}

test("finds files in all subfolders, except hidden files, links and excluded folders", async () => {
  await mkdir(join(root, "a", "b"), { recursive: true });
  await mkdir(join(root, ".hidden"));
  await mkdir(join(root, "done"));
  for (const path of ["1", "a/2", "a/b/3", ".4", ".hidden/5", "done/6"]) await writeFile(join(root, path), "");
  await symlink(join(root, "1"), join(root, "link"));
  await symlink(root, join(root, "loop"));
  expect(await walk(["done"])).toEqual(["1", "a/2", "a/b/3"]);
  expect(await walk([], AbortSignal.abort())).toEqual([]);
});

test("fails if the folder itself does not exist", async () => {
  const gone = walkFolder(join(root, "none"), { except: new Set(), signal: new AbortController().signal });
  await expect(gone.next()).rejects.toThrow("ENOENT");
});
