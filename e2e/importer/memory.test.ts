import { randomUUID } from "node:crypto";
import { link, mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entryKey } from "../../cli/src/import/entry-key.ts";
import { openJournal } from "../../cli/src/import/journal/journal.ts";
import { openManifest } from "../../cli/src/manifest/open-manifest.ts";
import { peakMemoryMb } from "../support/measuring/machine.ts";
import { KB, makeRecording } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import { type CommandRun, startCommand } from "../support/stack/command.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { say } from "../support/waiting.ts";

const rows = scale(30_000, 100_000, 1_000_000);
const folders = 1_000;
/** ext4 allows at most 65,000 hard links per file. */
const namesOfAFile = 10_000;
const allowedMb = 200;
/**
 * Of V8's heap. Resident memory differs by 20 MB from run to run; a heap that is too small ends the command. 16 MB are
 * enough; 32 MB are too small if rows stay in memory.
 */
const heapMb = scale(24, allowedMb, allowedMb);
/** Calls that are imported before the import is stopped. */
const enough = scale(500, 2_000, 2_000);

let dir: string;
let stack: Stack;
let api: ApiProcess;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hearback-million-"));
  stack = await openStack(undefined, unlimited);
  api = await stack.startApi();
  await writeRows();
}, 900_000);
afterAll(async () => {
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
}, 300_000);

/** Each row has its own file: a hard link to one of a few recordings. */
async function writeRows(): Promise<void> {
  const recordings = join(dir, "recordings");
  for (let folder = 0; folder < folders; folder++) await mkdir(join(recordings, String(folder)), { recursive: true });
  await using manifest = await open(join(dir, "calls.csv"), "w");
  let base = "";
  let lines = "file,agent_email,time,client_phone,site,direction\n";
  for (let row = 0; row < rows; row++) {
    if (row % namesOfAFile === 0) {
      base = join(dir, `base-${row}.wav`);
      await writeFile(base, makeRecording(4 * KB).bytes);
    }
    const name = `${row % folders}/recording-of-call-${row}.wav`;
    await link(base, join(recordings, name));
    lines += `${name},${stack.agentEmail},${1_700_000_000 + row},+3312345${row},Lyon,inbound\n`;
    if (row % 10_000 === 9_999) {
      await manifest.write(lines);
      lines = "";
    }
  }
}

function startImport(...more: string[]): CommandRun {
  const what = [join(dir, "calls.csv"), "--recordings", join(dir, "recordings"), "--campaign", stack.campaignId];
  const nodeOptions = `--max-old-space-size=${heapMb}`;
  return startCommand(
    { baseUrl: api.baseUrl, apiKey: stack.apiKey, nodeOptions },
    "import",
    ...what,
    "--yes",
    "--json",
    ...more,
  );
}

/** Peak memory of the run. */
async function peakOf(run: CommandRun): Promise<number> {
  let peak = 0;
  while (run.child.exitCode === null && run.child.signalCode === null) {
    peak = Math.max(peak, await peakMemoryMb(run.pid).catch(() => 0));
    await sleep(50);
  }
  return peak;
}

test(`a dry run over ${rows} rows takes at most ${allowedMb} MB`, { timeout: 1_800_000 }, async () => {
  const began = Date.now();
  const run = startImport("--dry-run");
  const peak = await peakOf(run);
  expect(await run.ended, run.stderr()).toBe(0);
  expect(JSON.parse(run.stdout())).toMatchObject({ rows });
  say(`${rows} rows: ${peak.toFixed()} MB at most, ${((Date.now() - began) / 1000).toFixed(1)} s`);
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThanOrEqual(allowedMb);
});

test(`importing from ${rows} rows takes at most ${allowedMb} MB and can be stopped`, {
  timeout: 1_800_000,
}, async () => {
  const run = startImport();
  const watched = peakOf(run);
  const imported = async () =>
    (await stack.adminDb.query<{ count: number }>("select count(*)::int as count from call")).rows[0]?.count ?? 0;
  while ((await imported()) < enough) {
    if (run.child.exitCode !== null) throw new Error(`the import ended: ${run.stderr()}`);
    await sleep(200);
  }
  run.child.kill("SIGINT");
  expect(await run.ended, run.stderr()).toBe(130);
  const peak = await watched;
  say(`importing: ${peak.toFixed()} MB at most, stopped after ${await imported()} calls`);
  expect(peak).toBeLessThanOrEqual(allowedMb);
});

/** Fills the journal with every row, although none was imported. */
async function fillJournal(): Promise<void> {
  const manifest = await openManifest({
    manifest: join(dir, "calls.csv"),
    recordings: join(dir, "recordings"),
    campaign: stack.campaignId,
  });
  const folder = join(dir, "calls.csv.hearback");
  const journal = await openJournal({ folder, service: api.baseUrl, apiKey: stack.apiKey });
  for await (const entry of manifest.entries()) {
    if ("findings" in entry) throw new Error(JSON.stringify(entry.findings));
    const sha256 = entry.line.toString(16).padStart(64, "0");
    journal.add({ key: entryKey(entry), line: entry.line, id: randomUUID(), sha256, result: "imported" });
    if (entry.line % 1_000 === 0) await setImmediate();
  }
  await journal.close();
  await manifest.close();
}

test(`a journal of ${rows} rows takes at most ${allowedMb} MB, and the reconciliation does not trust it`, {
  timeout: 1_800_000,
}, async () => {
  await fillJournal();
  const run = startImport();
  const peak = await peakOf(run);
  expect(await run.ended, run.stderr()).toBe(5);
  expect(JSON.parse(run.stdout())).toMatchObject({ present: rows, reconciliation: { missing: rows, complete: false } });
  say(`with a full journal: ${peak.toFixed()} MB at most`);
  expect(peak).toBeLessThanOrEqual(allowedMb);
});
