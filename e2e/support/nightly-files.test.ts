import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changedSinceNightly, listNightlyFiles, requiredFiles, root } from "./nightly-files.ts";

const image = { path: "e2e/operate/image.nightly.test.ts", subjects: ["deploy/", "package-lock.json"] };
const cards = { path: "e2e/speech/cards.nightly.test.ts", subjects: ["server/src/transcripts/"] };
const required = (...changed: string[]) => requiredFiles([image, cards], changed).map(({ path }) => path);

test("a nightly file runs when one of its subjects or the file itself changed", () => {
  expect(required("deploy/Dockerfile")).toEqual([image.path]);
  expect(required("package-lock.json", "README.md")).toEqual([image.path]);
  expect(required("server/src/transcripts/masking/tokens.ts")).toEqual([cards.path]);
  expect(required(cards.path)).toEqual([cards.path]);
});

test("other changes require no nightly file", () => {
  expect(required()).toEqual([]);
  expect(required("deployment.md", "cli/package-lock.json", "server/src/transcripts.ts")).toEqual([]);
});

test("all nightly files run when a file changed that decides what runs, or when it is unknown what changed", () => {
  for (const path of [".ci/run", "dev/run-tests.ts", "e2e/run.ts", "e2e/support/nightly-files.ts"])
    expect(required(path)).toEqual([image.path, cards.path]);
  expect(requiredFiles([image, cards], undefined)).toEqual([image, cards]);
});

test("every nightly file names its subjects, and all of them exist", () => {
  const files = listNightlyFiles();
  expect(files.length).toBeGreaterThan(3);
  for (const { path, subjects } of files) {
    expect([path, subjects.length > 0]).toEqual([path, true]);
    expect([path, subjects.filter((subject) => !existsSync(join(root, subject)))]).toEqual([path, []]);
  }
});

test("committed, uncommitted, new and renamed paths have changed; an unknown commit says nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nightly-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const git = (...args: string[]) =>
    execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  git("init", "--quiet");
  for (const path of ["deploy/a", "deploy/moved", "deploy/untouched", "docs/b"]) await write(path, path);
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  const nightly = git("rev-parse", "HEAD");
  expect(changedSinceNightly(nightly, folder)).toEqual([]);

  await write("deploy/a", "committed");
  git("mv", "deploy/moved", "elsewhere");
  git("commit", "--quiet", "--all", "--message", "second");
  await write("docs/b", "uncommitted");
  await write("docs/new", "new");
  expect(changedSinceNightly(nightly, folder)?.sort()).toEqual([
    "deploy/a",
    "deploy/moved",
    "docs/b",
    "docs/new",
    "elsewhere",
  ]);
  expect(changedSinceNightly("0123456789012345678901234567890123456789", folder)).toBeUndefined();
});
