import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { scale } from "@hearback/portable/testing/scale";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeService, openFakeService } from "./testing/fake-service.ts";

const runFile = promisify(execFile);
let folder = "";
let service: FakeService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-survives-"));
  await writeFile(join(folder, "one.wav"), Buffer.alloc(3_000, "one"));
  service = await openFakeService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const argumentsFor = (script: "import-child" | "fill-journal", count: number) => [
  join(import.meta.dirname, `testing/${script}.ts`),
  ...[service.url, join(folder, "state"), join(folder, "one.wav"), String(count)],
];

const kills = scale(3, 10, 10);

test(`imports every call once despite ${kills} kills`, async () => {
  const count = scale(1_000, 3_000, 3_000);
  // Slow enough that no run ends before it is killed.
  service.hooks.fault = (_, number) => (number % 2 === 0 ? { kind: "slow", ms: 15 } : undefined);
  let killed = 0;
  while (killed < kills) {
    const run = spawn(process.execPath, argumentsFor("import-child", count), {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => run.once("exit", resolve));
    const before = service.requests.length;
    // Kill only after the first request.
    while (service.requests.length === before && run.exitCode === null) await setTimeout(5);
    await setTimeout(Math.random() * 150);
    if (run.kill("SIGKILL")) killed++;
    await ended;
  }
  const { stdout } = await runFile(process.execPath, argumentsFor("import-child", count));
  const { imported, present, failed } = JSON.parse(stdout) as Record<string, number>;
  expect([(imported ?? 0) + (present ?? 0), failed]).toEqual([count, 0]);
  expect([service.calls.size, service.counts.stored]).toEqual([count, count]);
  // Look-ups find calls that arrived but were not journalled. Only uploads in flight are sent twice.
  expect(service.counts.duplicates).toBeLessThanOrEqual(kills * 16);
  const lines = (await readFile(join(folder, "state/journal.jsonl"), "utf8")).trimEnd().split("\n").slice(1);
  const journalled = new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id));
  expect(journalled).toEqual(new Set(service.calls.keys()));
}, 180_000);

// An entry that stays in memory takes about a kilobyte, so that 300,000 show it.
const entries = scale(300_000, 1_000_000, 1_000_000);

test(`${entries} entries need at most 200 MB`, async () => {
  const [present, imported] = [entries - 1_000, 1_000];
  await runFile(process.execPath, argumentsFor("fill-journal", present));
  const { stdout } = await runFile(process.execPath, argumentsFor("import-child", entries));
  expect(JSON.parse(stdout)).toMatchObject({ imported, present, failed: 0 });
  expect((JSON.parse(stdout) as { maxRssMb: number }).maxRssMb).toBeLessThan(200);
}, 180_000);
