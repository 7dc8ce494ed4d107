import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../testing/manifest-folder.ts";
import { walkRecordings } from "./walk-recordings.ts";

async function walked(root: string) {
  const files: string[] = [];
  const unreadable: string[] = [];
  const onUnreadable = (folder: string, code: string) => unreadable.push(`${folder} ${code}`);
  for await (const some of walkRecordings(root, { onUnreadable })) files.push(...some);
  return { files: files.toSorted(), unreadable };
}

test("finds recordings in all subfolders, except hidden files", async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/${at}.wav`, ""]));
  const others = {
    "a.wav": "",
    "x/y/z/b.wav": "",
    ".hidden": "",
    ".git/c": "",
    "Thumbs.db": "",
    "calls.hearback/journal": "",
  };
  const root = await makeFolder({ ...many, ...others });
  const { files } = await walked(root);
  expect(files).toHaveLength(602);
  expect(files).toContain("x/y/z/b.wav");
});

test("does not follow links to folders", async () => {
  const root = await makeFolder({ "a/b.wav": "" });
  await symlink(root, join(root, "a/round.wav"));
  expect((await walked(root)).files).toEqual(["a/b.wav", "a/round.wav"]);
});

test("reports a folder that cannot be read", async () => {
  expect(await walked("/nowhere")).toEqual({ files: [], unreadable: [" ENOENT"] });
});
