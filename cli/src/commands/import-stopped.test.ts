import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { aFolder, command } from "../testing/run-command.ts";
import { openSmallService } from "../testing/small-service.ts";

const rows = 300;
const service = await openSmallService({
  "GET /users": () => ({
    body: { users: [{ id: "1", email: "ann@example.com", name: "Ann", status: "active" }], next: null },
  }),
  "POST /calls/lookup": ({ body }) => {
    const { fingerprints } = JSON.parse(body) as { fingerprints: { conversation_timestamp: number }[] };
    const calls = fingerprints.map((one) => ({ status: "present", id: idOf(one.conversation_timestamp) }));
    return { body: { calls } };
  },
});
afterAll(() => service.close());
const idOf = (number: number) => `0190f3c2-7a55-7f0e-9d8e-${String(number).padStart(12, "0")}`;

/** An import whose calls are all there, in a shell that lets files grow to so many blocks of 1,024 bytes. */
async function importWith(blocks: number, folder: string) {
  const args = ["import", join(folder, "calls.csv"), "--recordings", folder, "--yes", "--json", "--no-proof"];
  const limited = ["-c", `ulimit -f ${blocks}; exec "$@"`, "bash", process.execPath, command, ...args];
  const child = spawn("bash", limited, { env: service.env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

test.each([
  ["in the middle", 8],
  ["at the last lines", 51],
])("a disk that is full %s ends with what was done, and can be continued", async (_, blocks) => {
  const folder = await aFolder();
  const lines = ["file,agent_email,time,campaign_id"];
  for (let row = 0; row < rows; row++) {
    await writeFile(join(folder, `${row}.wav`), `OggS${row}`);
    lines.push(`${row}.wav,ann@example.com,${1_714_557_600 + row},support-fr`);
  }
  await writeFile(join(folder, "calls.csv"), lines.join("\n"));
  const ran = await importWith(blocks, folder);
  expect(JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    ...{ ended: "broken-off", rows, reason: expect.stringContaining("cannot be noted") },
  });
  expect(ran.code).toBe(4);
  expect(await importWith(10_000, folder)).toMatchObject({ code: 0 });
  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".lock"))).toEqual([]);
});
