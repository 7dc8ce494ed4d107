import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const withSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!withSystemd).each(["hearback-api.service", "hearback-worker.service"])(
  "the systemd unit %s is valid",
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), "hearback-unit-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const unit = await readFile(new URL(`../../deploy/${name}`, import.meta.url), "utf8");
    // Node may be elsewhere on the test machine.
    await writeFile(join(folder, name), unit.replace("/opt/hearback/bin/hearback-server", process.execPath));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", join(folder, name)], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
);

// e2e/operate/install.test.ts shows that they work with these restrictions.
test.skipIf(!withSystemd).each(["hearback-api.service", "hearback-worker.service"])(
  "the systemd unit %s has an exposure level below 3",
  (name) => {
    const unit = fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
    const { stdout } = spawnSync("systemd-analyze", ["security", "--offline=yes", "--no-pager", unit], {
      encoding: "utf8",
    });
    const level = /Overall exposure level for .*: ([\d.]+)/.exec(stdout)?.[1];
    expect(Number(level)).toBeLessThan(3);
  },
);
