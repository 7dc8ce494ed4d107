import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const withSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!withSystemd)("the systemd unit of the watcher is valid", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearback-unit-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const unit = await readFile(new URL("../../../deploy/hearback-watch.service", import.meta.url), "utf8");
  const path = join(folder, "hearback-watch.service");
  // The command is not installed on the test machine.
  await writeFile(path, unit.replace("/usr/local/bin/hearback", process.execPath));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});
