import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

test.skipIf(process.getuid?.() !== 0)(
  "root runs a command with the settings of the service, and no shell reads them",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "hearback-settings-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "server.env");
    const lines = [
      "MAIL_FROM=Acme <a@b.c>",
      "LOG_LEVEL=$(touch started)&touch started",
      "export CELL=A",
      "DATABASE_URL=",
      "MAIL_FORM=x",
    ];
    await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
    const command = [join(import.meta.dirname, "as-service-user.ts"), file, "root", "workspace", "list"];
    const environment = { STORAGE: "disk", DATABASE_URL: "postgres://127.0.0.1/x" };
    const { stderr, status } = spawnSync(process.execPath, command, {
      cwd: folder,
      env: environment,
      encoding: "utf8",
    });
    expect([stderr, status]).toEqual([
      [
        `${file}:3 is ignored: write NAME=value`,
        "MAIL_FORM is not a setting and has no effect. Do you mean MAIL_FROM?",
        "Invalid settings (deploy/example.env documents all of them):",
        "  LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent",
        "  STORAGE: must be filesystem or s3",
        "",
      ].join("\n"),
      1,
    ]);
  },
);
