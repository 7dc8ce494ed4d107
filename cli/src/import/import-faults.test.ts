import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "../manifest/entry.ts";
import { type Fault, type PlayedService, playService } from "./testing/play-service.ts";
import { type RunImportOptions, runImport } from "./testing/run-import.ts";
import { oneByOne, someEntries } from "./testing/some-entries.ts";

let folder = "";
let service: PlayedService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-faults-"));
  service = await playService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (entries: AsyncIterable<Entry>, options: Partial<RunImportOptions> = {}) =>
  runImport({ url: service.url, folder, entries, ...options });

const upload = "/calls/audio";
const faults: [string, (path: string, count: number) => Fault | undefined][] = [
  ["cuts the connection", (path, count) => (path === upload && count % 9 === 0 ? { kind: "cut" } : undefined)],
  [
    "stores and never answers",
    (path, count) => (path === upload && count % 9 === 0 ? { kind: "cutAfter" } : undefined),
  ],
  ["breaks off its answers", (_, count) => (count % 11 === 0 ? { kind: "cutInAnswer" } : undefined)],
  ["is unavailable for a moment", (_, count) => (count % 20 < 3 ? unavailable : undefined)],
  [
    "asks to go slower",
    (_, count) => (count === 15 ? { kind: "answer", status: 429, code: "rate_exceeded", retryAfter: 1 } : undefined),
  ],
  [
    "is hidden behind a page of somebody else at times",
    (_, count) => (count % 20 < 2 ? { kind: "foreign", status: 200, text: "<h1>Hello" } : undefined),
  ],
  [
    "is hidden behind JSON of somebody else at times",
    (_, count) => (count % 20 < 2 ? { kind: "foreign", status: 200, text: "{}" } : undefined),
  ],
  ["is slow at times", (_, count) => (count % 10 === 0 ? { kind: "slow", ms: 200 } : undefined)],
];
const unavailable: Fault = { kind: "answer", status: 503, code: "database_unavailable", retryAfter: 0 };

test.each(faults)("a service that %s gets every call, once", async (_, fault) => {
  const entries = await someEntries(folder, 60);
  service.hooks.fault = fault;
  const { counts, failures } = await run(oneByOne(entries));
  expect(failures).toEqual([]);
  expect(counts.imported + counts.present).toBe(60);
  expect([service.calls.size, service.counts.stored]).toEqual([60, 60]);
});

test("a service that is gone for a while gets every call when it is back", async () => {
  const entries = await someEntries(folder, 80);
  service.hooks.fault = (_, count) => {
    if (count === 30) void service.close().then(() => setTimeout(service.reopen, 1_500));
    return undefined;
  };
  const { counts, failures } = await run(oneByOne(entries));
  expect([counts.imported + counts.present, failures, service.calls.size]).toEqual([80, [], 80]);
});

test("a service that stays away is given up, and the next run continues", async () => {
  const entries = await someEntries(folder, 50);
  service.hooks.fault = (_, count) => (count > 20 ? { kind: "cut" } : undefined);
  await expect(run(oneByOne(entries), { patienceMs: 1_000 })).rejects.toMatchObject({ exitCode: 4 });
  service.hooks.fault = () => undefined;
  const { counts } = await run(oneByOne(entries));
  expect(counts.imported + counts.present).toBe(50);
  expect([service.calls.size, service.counts.duplicates]).toEqual([50, 0]);
});

test("one recording that is never taken does not stop the others", async () => {
  const entries = await someEntries(folder, 300);
  service.agents.add("poison@example.com");
  service.hooks.neverTakes = (email) => email === "poison@example.com";
  const poison = { ...(entries[0] as Entry), agentEmail: "poison@example.com", file: "poison.wav" };
  const { counts, failures } = await run(oneByOne([poison, ...entries]));
  expect(counts).toMatchObject({ imported: 300, failed: 1 });
  expect(failures).toMatchObject([{ file: "poison.wav", code: "unreachable" }]);
}, 120_000);

test.each([
  ["a key that is refused", { status: 401, code: "unauthenticated" }, 3, "key"],
  ["a key without the right to import", { status: 403, code: "scope_missing" }, 3, "import"],
  [
    "a quota of the day",
    { status: 429, code: "quota_exceeded", limit: "workspace_calls_per_day", retryAfter: 30_000 },
    4,
    "00:00 UTC",
  ],
  [
    "a quota of bytes",
    { status: 429, code: "quota_exceeded", limit: "workspace_stored_bytes", retryAfter: 3600 },
    4,
    "room",
  ],
])("%s stops everything at once, says why, and the next run continues", async (_, answer, exitCode, says) => {
  const entries = await someEntries(folder, 100);
  service.hooks.fault = (path) =>
    path === upload && service.counts.stored >= 20 ? { kind: "answer", ...answer } : undefined;
  await expect(run(oneByOne(entries))).rejects.toMatchObject({ exitCode, message: expect.stringContaining(says) });
  expect(service.counts.uploads).toBeLessThan(60);
  service.hooks.fault = () => undefined;
  expect((await run(oneByOne(entries))).counts).toMatchObject({ failed: 0 });
  expect([service.calls.size, service.counts.duplicates]).toEqual([100, 0]);
});

test("an address that sends us elsewhere in the middle can be continued", async () => {
  const entries = await someEntries(folder, 40);
  service.hooks.fault = () => (service.counts.stored >= 10 ? { kind: "foreign", status: 302, text: "" } : undefined);
  await expect(run(oneByOne(entries))).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining("again to continue"),
  });
  service.hooks.fault = () => undefined;
  expect((await run(oneByOne(entries))).counts.failed).toBe(0);
  expect(service.calls.size).toBe(40);
});

test("a proxy that refuses one recording does not stop the others", async () => {
  const entries = await someEntries(folder, 40);
  let refused = false;
  service.hooks.fault = (path) => {
    if (path !== upload || refused || service.counts.stored < 10) return undefined;
    refused = true;
    return { kind: "foreign", status: 403, text: "<h1>Request blocked" };
  };
  const { counts, failures } = await run(oneByOne(entries));
  expect(counts).toMatchObject({ imported: 39, failed: 1 });
  expect(failures).toMatchObject([{ code: "http_403", reason: expect.stringContaining("between this machine") }]);
});

test("told to stop, it ends what is under way, begins nothing, and the next run continues", async () => {
  const entries = await someEntries(folder, 100);
  const stop = new AbortController();
  service.hooks.fault = (path) => {
    if (path === upload && service.counts.stored >= 20) stop.abort();
    return path === upload ? { kind: "slow", ms: 30 } : undefined;
  };
  await expect(run(oneByOne(entries), { signal: stop.signal })).rejects.toMatchObject({ exitCode: 130 });
  const { uploads, stored } = service.counts;
  expect(uploads).toBeLessThan(45);
  expect(stored).toBe(uploads);
  service.hooks.fault = () => undefined;
  const { counts } = await run(oneByOne(entries));
  expect(counts).toMatchObject({ present: stored, imported: 100 - stored });
});

test("told twice, it does not wait for what is under way", async () => {
  const entries = await someEntries(folder, 30);
  const [stop, cancel] = [new AbortController(), new AbortController()];
  service.hooks.fault = (path) => {
    if (path !== upload) return undefined;
    stop.abort();
    setTimeout(() => cancel.abort(), 50);
    return { kind: "slow", ms: 5_000 };
  };
  const started = performance.now();
  const signals = { signal: stop.signal, cancel: cancel.signal };
  await expect(run(oneByOne(entries), signals)).rejects.toMatchObject({ exitCode: 130 });
  expect(performance.now() - started).toBeLessThan(2_000);
});

test("told to stop while it waits for the service, it stops at once", async () => {
  const entries = await someEntries(folder, 10);
  const stop = new AbortController();
  service.hooks.fault = () => ({ kind: "answer", status: 503, code: "database_unavailable", retryAfter: 20 });
  setTimeout(() => stop.abort(), 300);
  const started = performance.now();
  await expect(run(oneByOne(entries), { signal: stop.signal })).rejects.toMatchObject({ exitCode: 130 });
  expect(performance.now() - started).toBeLessThan(2_000);
});
