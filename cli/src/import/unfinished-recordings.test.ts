import { appendFileSync, utimesSync } from "node:fs";
import { appendFile, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "../manifest/entry.ts";
import { quietTimeLeftMs } from "./read-recording.ts";
import { type FakeService, openFakeService } from "./testing/fake-service.ts";
import { makeEntries, makeEntry, toAsync } from "./testing/make-entries.ts";
import { runImport } from "./testing/run-import.ts";

let folder = "";
let service: FakeService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-unfinished-"));
  service = await openFakeService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (entries: Entry[]) => runImport({ url: service.url, folder, entries: toAsync(entries) });
const sizes = [
  ["small", 2_000],
  ["large", 3 * 1024 * 1024],
] as const;
const upload = "/calls/audio";

test.each(sizes)("a %s recording that grows is not sent, and later becomes one call", async (_, bytes) => {
  const path = join(folder, "1.wav");
  await writeFile(path, Buffer.alloc(bytes, "sound"));
  const entry = await makeEntry(path, 1);
  const growing = setInterval(() => appendFileSync(path, "more"), 100);
  const { failures } = await run([entry]).finally(() => clearInterval(growing));
  expect(failures).toMatchObject([{ code: "file_changed", reason: expect.stringContaining("still being written") }]);
  expect(service.counts.uploads).toBe(0);
  expect((await run([await makeEntry(path, 1)])).counts.imported).toBe(1);
  expect(service.calls.size).toBe(1);
});

test.each(sizes)("a %s recording that changed after the manifest was read is not sent", async (_, bytes) => {
  const [entry] = (await makeEntries(folder, 1, bytes)) as [Entry];
  await appendFile(entry.path, "more");
  expect((await run([entry])).failures).toMatchObject([{ code: "file_changed" }]);
  expect(service.counts.uploads).toBe(0);
});

test.each(sizes)("a %s recording that changes after it was hashed is not sent", async (_, bytes) => {
  const [entry] = (await makeEntries(folder, 1, bytes)) as [Entry];
  service.hooks.fault = (path) => {
    if (path === "/calls/lookup") appendFileSync(entry.path, "more");
    return undefined;
  };
  expect((await run([entry])).failures).toMatchObject([{ code: "file_changed" }]);
  expect(service.counts.uploads).toBe(0);
});

test("a large recording that was replaced by one of the same size and time is not stored", async () => {
  const [entry] = (await makeEntries(folder, 1, 3 * 1024 * 1024)) as [Entry];
  const at = entry.modifiedMs / 1000;
  service.hooks.fault = (path) => {
    if (path !== "/calls/lookup") return undefined;
    void writeFile(entry.path, Buffer.alloc(3 * 1024 * 1024, "other")).then(() => utimes(entry.path, at, at));
    return { kind: "slow", ms: 200 };
  };
  expect((await run([entry])).failures).toMatchObject([{ code: "file_changed" }]);
  expect(service.calls.size).toBe(0);
});

test.each(sizes)("a %s recording that changes during the upload is reported with the stored call", async (_, bytes) => {
  const [entry] = (await makeEntries(folder, 1, bytes)) as [Entry];
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

test("fresh recordings wait concurrently and do not block the others", async () => {
  const entries = await makeEntries(folder, 80);
  const nextYear = Date.now() / 1000 + 365 * 24 * 60 * 60;
  const fresh = entries.slice(0, 40);
  for (const { path } of fresh) await utimes(path, nextYear, nextYear);
  const mixed = await Promise.all(entries.map(({ path }, at) => makeEntry(path, at + 1)));
  expect((await run(mixed)).counts.imported).toBe(80);
  const first = [...service.calls.values()].slice(0, 20);
  expect(first.filter(({ timestamp }) => fresh.some(({ happenedAt }) => happenedAt === timestamp))).toEqual([]);
});

test.each([
  ["just written", 10_000, 1_000],
  ["recently written", 9_300.4, 301],
  ["one second old", 9_000, 0],
  ["old", 0, 0],
  ["with a modification time in the future", 99_000, 1_000],
])("computes the wait for a recording that is %s", (_, modifiedMs, ms) => {
  expect(quietTimeLeftMs({ path: "", file: "", bytes: 1, modifiedMs }, 10_000)).toBe(ms);
});
