import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { command, makeFolder } from "../../testing/run-command.ts";
import { openStubService } from "../../testing/stub-service.ts";

const rows = 300;
const service = await openStubService({
  "GET /users": () => ({
    body: { users: [{ id: "1", email: "ann@example.com", name: "Ann", status: "active" }], next: null },
  }),
  "POST /calls/lookup": ({ body }) => {
    const { fingerprints } = JSON.parse(body) as { fingerprints: { conversation_timestamp: number }[] };
    const calls = fingerprints.map((fingerprint) => ({
      status: "present",
      id: idOf(fingerprint.conversation_timestamp),
    }));
    return { body: { calls } };
  },
});
afterAll(() => service.close());
const idOf = (number: number) => `0190f3c2-7a55-7f0e-9d8e-${String(number).padStart(12, "0")}`;

/** Runs an import whose calls all exist, with file sizes limited to a number of 1,024-byte blocks. */
async function importWith(blocks: number, folder: string) {
  const args = ["import", join(folder, "calls.csv"), "--recordings", folder, "--yes", "--json", "--no-reconcile"];
  const limited = ["-c", `ulimit -f ${blocks}; exec "$@"`, "bash", process.execPath, command, ...args];
  const child = spawn("bash", limited, { env: service.env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

test.each([
  ["in the middle", 8],
  ["at the last rows", 51],
])("a disk that is full %s stops the import with a summary, and a rerun completes it", async (_, blocks) => {
  const folder = await makeFolder();
  const lines = ["file,agent_email,time,campaign_id"];
  for (let row = 0; row < rows; row++) {
    await writeFile(join(folder, `${row}.wav`), `OggS${row}`);
    lines.push(`${row}.wav,ann@example.com,${1_714_557_600 + row},support-fr`);
  }
  await writeFile(join(folder, "calls.csv"), lines.join("\n"));
  const ran = await importWith(blocks, folder);
  expect(JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    ended: "broken-off",
    rows,
    reason: expect.stringContaining("Cannot write"),
  });
  expect(ran.code).toBe(4);
  expect(await importWith(10_000, folder)).toMatchObject({ code: 0 });
  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".lock"))).toEqual([]);
});
