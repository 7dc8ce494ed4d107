import { appendFileSync, utimesSync } from "node:fs";
import { appendFile, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "../manifest/entry.ts";
import { freshForMs } from "./read-recording.ts";
import { type PlayedService, playService } from "./testing/play-service.ts";
import { runImport } from "./testing/run-import.ts";
import { anEntry, oneByOne, someEntries } from "./testing/some-entries.ts";

let folder = "";
let service: PlayedService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-unfinished-"));
  service = await playService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (entries: Entry[]) => runImport({ url: service.url, folder, entries: oneByOne(entries) });
const sizes = [
  ["small", 2_000],
  ["large", 3 * 1024 * 1024],
] as const;
const upload = "/calls/audio";

test.each(sizes)("a %s recording that grows meanwhile is not sent, and later it is one call", async (_, bytes) => {
  const path = join(folder, "1.wav");
  await writeFile(path, Buffer.alloc(bytes, "sound"));
  const entry = await anEntry(path, 1);
  const growing = setInterval(() => appendFileSync(path, "more"), 100);
  const { failures } = await run([entry]).finally(() => clearInterval(growing));
  expect(failures).toMatchObject([{ code: "file_changed", reason: expect.stringContaining("still being written") }]);
  expect(service.counts.uploads).toBe(0);
  expect((await run([await anEntry(path, 1)])).counts.imported).toBe(1);
  expect(service.calls.size).toBe(1);
});

test.each(sizes)("a %s recording that was written to since the manifest was read is not sent", async (_, bytes) => {
  const [entry] = (await someEntries(folder, 1, bytes)) as [Entry];
  await appendFile(entry.path, "more");
  expect((await run([entry])).failures).toMatchObject([{ code: "file_changed" }]);
  expect(service.counts.uploads).toBe(0);
});

test.each(sizes)("a %s recording that changes after it was read is not sent", async (_, bytes) => {
  const [entry] = (await someEntries(folder, 1, bytes)) as [Entry];
  service.hooks.fault = (path) => {
    if (path === "/calls/lookup") appendFileSync(entry.path, "more");
    return undefined;
  };
  expect((await run([entry])).failures).toMatchObject([{ code: "file_changed" }]);
  expect(service.counts.uploads).toBe(0);
});

test("a large recording that was replaced by one that looks the same is not stored", async () => {
  const [entry] = (await someEntries(folder, 1, 3 * 1024 * 1024)) as [Entry];
  const at = entry.modifiedMs / 1000;
  service.hooks.fault = (path) => {
    if (path !== "/calls/lookup") return undefined;
    void writeFile(entry.path, Buffer.alloc(3 * 1024 * 1024, "other")).then(() => utimes(entry.path, at, at));
    return { kind: "slow", ms: 200 };
  };
  expect((await run([entry])).failures).toMatchObject([{ code: "file_changed" }]);
  expect(service.calls.size).toBe(0);
});

test.each(sizes)("of a %s recording that changes while it is sent the stored call is named", async (_, bytes) => {
  const [entry] = (await someEntries(folder, 1, bytes)) as [Entry];
  service.hooks.fault = (path) => {
    if (path === upload) utimesSync(entry.path, 1, 1);
    return undefined;
  };
  const { failures, counts } = await run([entry]);
  const [id] = service.calls.keys();
  expect(counts).toMatchObject({ imported: 0, failed: 1 });
  expect(failures).toMatchObject([
    {
      code: "file_changed_late",
      reason: expect.stringContaining(`stored as call ${id}`),
      fix: expect.stringContaining(`DELETE /calls/${id}`),
    },
  ]);
});

test("fresh recordings are waited for all at once, and keep nobody else waiting", async () => {
  const entries = await someEntries(folder, 80);
  const nextYear = Date.now() / 1000 + 365 * 24 * 60 * 60;
  const fresh = entries.slice(0, 40);
  for (const { path } of fresh) await utimes(path, nextYear, nextYear);
  const mixed = await Promise.all(entries.map(({ path }, at) => anEntry(path, at + 1)));
  const began = performance.now();
  expect((await run(mixed)).counts.imported).toBe(80);
  expect(performance.now() - began).toBeLessThan(4_000);
  const first = [...service.calls.values()].slice(0, 20);
  expect(first.filter(({ timestamp }) => fresh.some(({ happenedAt }) => happenedAt === timestamp))).toEqual([]);
});

test.each([
  ["just written", 10_000, 1_000],
  ["written a moment ago", 9_300.4, 301],
  ["a second old", 9_000, 0],
  ["of long ago", 0, 0],
  ["of a clock that is ahead", 99_000, 1_000],
])("a recording %s is waited for no longer than needed", (_, modifiedMs, ms) => {
  expect(freshForMs({ path: "", file: "", bytes: 1, modifiedMs }, 10_000)).toBe(ms);
});
