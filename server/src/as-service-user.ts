// Started as root by bin/hearback-server: runs a command as the user of the service, with its settings.
//   node as-service-user.ts FILE USER ARGUMENT…
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, env, execPath, stderr } from "node:process";
import { parseEnvironmentFile } from "./platform/environment-file.ts";

const [file = "", user = "", ...rest] = argv.slice(2);
const { settings, ignored } = parseEnvironmentFile(readFileSync(file, "utf8"));
for (const line of ignored) stderr.write(`${file}:${line} is ignored: write NAME=value\n`);
// A variable that is set for one command takes precedence.
const environment = { ...settings, ...env };
process.execve?.(
  "/sbin/runuser",
  ["runuser", "-u", user, "--", execPath, join(import.meta.dirname, "main.ts"), ...rest],
  environment,
);
