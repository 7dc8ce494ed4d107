import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openTestApp } from "./testing/test-app.ts";

const { config } = (await openTestApp()).app;

test("SIGTERM to npx stops the server", async () => {
  const settings = [`DATABASE_URL=${config.database.url}`, "STORAGE=filesystem", "STORAGE_DIR=/tmp", "PORT=0"];
  // In its own process group, so that a server that outlives npx can be killed. env replaces itself with npx.
  const npx = spawn("env", [...settings, "npx", "--no", "hearback-server", "api"], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const group = npx.pid ?? 0;
  onTestFinished(() => {
    if (npx.stdout.readable) process.kill(-group, "SIGKILL");
  });
  let log = "";
  npx.stdout.on("data", (chunk) => (log += chunk));
  npx.stderr.on("data", (chunk) => (log += chunk));
  await expect.poll(() => log, { timeout: 20_000 }).toContain("api ready");
  process.kill(group, "SIGTERM");
  // The output closes when its last writer has ended, which is the server.
  await once(npx, "close");
  expect(log).toContain("stopping");
});
