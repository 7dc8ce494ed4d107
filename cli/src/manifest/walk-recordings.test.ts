import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aFolder } from "./testing/manifest-folder.ts";
import { walkRecordings } from "./walk-recordings.ts";

async function walked(root: string) {
  const files: string[] = [];
  const unreadable: string[] = [];
  const onUnreadable = (folder: string, code: string) => unreadable.push(`${folder} ${code}`);
  for await (const some of walkRecordings(root, { onUnreadable })) files.push(...some);
  return { files: files.toSorted(), unreadable };
}

test("finds all files at any depth, and neither hidden ones nor what is not a recording", async () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`many/${at}.wav`, ""]));
  const others = {
    "a.wav": "",
    "x/y/z/b.wav": "",
    ".hidden": "",
    ".git/c": "",
    "Thumbs.db": "",
    "calls.hearback/journal": "",
  };
  const root = await aFolder({ ...many, ...others });
  const { files } = await walked(root);
  expect(files).toHaveLength(602);
  expect(files).toContain("x/y/z/b.wav");
});

test("does not follow a link to a folder, so that a circle ends", async () => {
  const root = await aFolder({ "a/b.wav": "" });
  await symlink(root, join(root, "a/round.wav"));
  expect((await walked(root)).files).toEqual(["a/b.wav", "a/round.wav"]);
});

test("names a folder that cannot be read", async () => {
  expect(await walked("/nowhere")).toEqual({ files: [], unreadable: [" ENOENT"] });
});
