import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("dev/setup --missing names the packages that tests lack and how to install them, and installs nothing", async () => {
  const bin = await mkdtemp(join(tmpdir(), "hearback-bin-"));
  onTestFinished(() => rm(bin, { recursive: true }));
  for (const tool of ["bash", "dirname", "ls", "sed"])
    await symlink(execFileSync("which", [tool], { encoding: "utf8" }).trim(), join(bin, tool));
  const { stderr, status } = spawnSync(join(root, "dev/setup"), ["--missing"], {
    env: { PATH: bin },
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^setup: tests that need .*\bespeak-ng\b.*\bflite\b.* will fail or be skipped; dev\/setup --tests installs/,
  );
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test("CI installs what all tests need", async () => {
  for (const file of [".ci/run", ".github/workflows/nightly.yml"])
    expect(await readFile(join(root, file), "utf8")).toContain("dev/setup --tests");
});
