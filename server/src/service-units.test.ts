import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const withSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!withSystemd).each(["hearback-api.service", "hearback-worker.service"])(
  "the systemd unit %s is valid",
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), "hearback-unit-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const unit = await readFile(new URL(`../../deploy/${name}`, import.meta.url), "utf8");
    // Node may be elsewhere on the test machine.
    await writeFile(join(folder, name), unit.replace("/usr/bin/node", process.execPath));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", join(folder, name)], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
);
