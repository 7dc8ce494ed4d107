import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Backfill, backfillOptions, writeBackfill } from "../support/recordings/backfill.ts";
import { KB } from "../support/recordings/recordings.ts";
import { runCommand, startCommand } from "../support/stack/command.ts";
import { freePort } from "../support/stack/free-port.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { until } from "../support/waiting.ts";

const calls = 300;

let dir: string;
let stack: Stack;
let api: ApiProcess;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hearback-changing-"));
  stack = await openStack(undefined, unlimited);
  api = await stack.startApi();
});
afterAll(async () => {
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
});

const connection = () => ({ baseUrl: api.baseUrl, apiKey: stack.apiKey });
const makeBackfill = async (name: string, count = calls) => {
  await mkdir(join(dir, name));
  return writeBackfill(join(dir, name), { calls: count, agents: 3, bytes: 8 * KB });
};
const importOf = (backfill: Backfill, ...more: string[]) => [
  ...["import", ...backfillOptions(backfill, stack.campaignId), "--create-agents", "--yes", "--json", ...more],
];
const lastLine = (text: string) => JSON.parse(text.trim().split("\n").at(-1) ?? "");

test("reports a recording that is deleted during the import, and imports the rest", async () => {
  const backfill = await makeBackfill("gone");
  const run = startCommand(connection(), ...importOf(backfill, "--concurrency", "1"));
  await until("the import started", 30_000, () => run.stderr().includes("importing:"));
  await rm(join(backfill.recordings, `0000/call-${calls - 1}.wav`));
  await truncate(join(backfill.recordings, `0000/call-${calls - 2}.wav`));
  expect(await run.ended, run.stderr()).toBe(1);
  expect(lastLine(run.stdout())).toMatchObject({
    rows: calls,
    imported: calls - 2,
    failed: 2,
    reconciliation: { present: calls - 2, missing: 0 },
  });
  const failures = await readFile(lastLine(run.stdout()).failures_file, "utf8");
  expect(failures).toMatch(new RegExp(`call-${calls - 1}.wav.*,${calls + 1},file_missing`));
  expect(failures).toMatch(new RegExp(`call-${calls - 2}.wav.*,${calls},file_empty`));
});

test("other runs do not overwrite an edited failures file", async () => {
  const backfill = await makeBackfill("fixed", 5);
  await rm(join(backfill.recordings, "0000/call-4.wav"));
  const first = await runCommand(connection(), ...importOf(backfill, "--skip-invalid"));
  expect(first.code, first.stderr).toBe(1);
  const { failures_file: failures } = lastLine(first.stdout);
  await writeFile(failures, "edited by the user");
  const away = { ...connection(), baseUrl: `http://127.0.0.1:${await freePort()}` };
  const run = startCommand(away, ...importOf(backfill));
  await until("the command waits for the service", 30_000, () => run.stderr().includes("waiting: the service"));
  run.child.kill("SIGINT");
  expect(await run.ended).toBe(130);
  expect((await runCommand(connection(), ...importOf(backfill, "--dry-run"))).code).toBe(1);
  expect((await runCommand(connection(), ...importOf(backfill, "--skip-invalid"))).code).toBe(1);
  expect(await readFile(failures, "utf8")).toBe("edited by the user");
});

test("two imports of one manifest cannot run concurrently", async () => {
  const backfill = await makeBackfill("twice");
  const first = startCommand(connection(), ...importOf(backfill, "--concurrency", "1"));
  await until("the import started", 30_000, () => first.stderr().includes("importing:"));
  const second = await runCommand(connection(), ...importOf(backfill));
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining(String(first.pid))]);
  expect(await first.ended, first.stderr()).toBe(0);
});

/** Deletes a call from the database, behind the service's back. */
async function deleteCall(sha256: string): Promise<void> {
  const db = await stack.adminDb.connect();
  try {
    await db.query("set session_replication_role = replica");
    const { rowCount } = await db.query("delete from call where sha256 = decode($1, 'hex')", [sha256]);
    expect(rowCount).toBe(1);
    await db.query("delete from call_metadata where call_id not in (select id from call)");
  } finally {
    db.release(true);
  }
}

test("the reconciliation reports a lost call, and the next run imports it again", async () => {
  const backfill = await makeBackfill("lost", 20);
  expect((await runCommand(connection(), ...importOf(backfill))).code).toBe(0);
  await deleteCall(backfill.expected.find((line) => line.endsWith("+33100000007"))?.split(" ")[0] ?? "");
  const second = await runCommand(connection(), ...importOf(backfill));
  expect(second.code, second.stderr).toBe(5);
  expect(second.stderr).toMatch(/line 9, 0000\/call-7\.wav: /);
  expect(lastLine(second.stdout)).toMatchObject({ present: 20, reconciliation: { present: 19, missing: 1 } });
  const again = await runCommand(connection(), ...importOf(backfill));
  expect(again.code, again.stderr).toBe(0);
  expect(lastLine(again.stdout)).toMatchObject({ imported: 1, present: 19, reconciliation: { present: 20 } });
});
