import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "../manifest/entry.ts";
import { type FakeService, type Fault, openFakeService } from "./testing/fake-service.ts";
import { makeEntries, toAsync } from "./testing/make-entries.ts";
import { type RunImportOptions, runImport } from "./testing/run-import.ts";

let folder = "";
let service: FakeService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-faults-"));
  service = await openFakeService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (entries: AsyncIterable<Entry>, options: Partial<RunImportOptions> = {}) =>
  runImport({ url: service.url, folder, entries, ...options });

const upload = "/calls/audio";
const faults: [string, (path: string, count: number) => Fault | undefined][] = [
  ["closes the connection", (path, count) => (path === upload && count % 9 === 0 ? { kind: "cut" } : undefined)],
  [
    "stores without responding",
    (path, count) => (path === upload && count % 9 === 0 ? { kind: "cutAfter" } : undefined),
  ],
  ["truncates responses", (_, count) => (count % 11 === 0 ? { kind: "cutInAnswer" } : undefined)],
  ["is briefly unavailable", (_, count) => (count % 20 < 3 ? unavailable : undefined)],
  [
    "rate-limits",
    (_, count) => (count === 15 ? { kind: "answer", status: 429, code: "rate_exceeded", retryAfter: 1 } : undefined),
  ],
  [
    "is sometimes replaced by another server's HTML",
    (_, count) => (count % 20 < 2 ? { kind: "foreign", status: 200, text: "<h1>Hello" } : undefined),
  ],
  [
    "is sometimes replaced by another server's JSON",
    (_, count) => (count % 20 < 2 ? { kind: "foreign", status: 200, text: "{}" } : undefined),
  ],
  ["is sometimes slow", (_, count) => (count % 10 === 0 ? { kind: "slow", ms: 200 } : undefined)],
];
const unavailable: Fault = { kind: "answer", status: 503, code: "database_unavailable", retryAfter: 0 };

test.each(faults)("a service that %s gets every call once", async (_, fault) => {
  const entries = await makeEntries(folder, 60);
  service.hooks.fault = fault;
  const { counts, failures } = await run(toAsync(entries));
  expect(failures).toEqual([]);
  expect(counts.imported + counts.present).toBe(60);
  expect([service.calls.size, service.counts.stored]).toEqual([60, 60]);
});

test("a service that restarts gets every call", async () => {
  const entries = await makeEntries(folder, 80);
  service.hooks.fault = (_, count) => {
    if (count === 30) void service.close().then(() => setTimeout(service.reopen, 1_500));
    return undefined;
  };
  const { counts, failures } = await run(toAsync(entries));
  expect([counts.imported + counts.present, failures, service.calls.size]).toEqual([80, [], 80]);
});

test("gives up on a service that stays unreachable, and the next run resumes", async () => {
  const entries = await makeEntries(folder, 50);
  service.hooks.fault = (_, count) => (count > 20 ? { kind: "cut" } : undefined);
  await expect(run(toAsync(entries), { giveUpAfterMs: 1_000 })).rejects.toMatchObject({ exitCode: 4 });
  service.hooks.fault = () => undefined;
  const { counts } = await run(toAsync(entries));
  expect(counts.imported + counts.present).toBe(50);
  expect([service.calls.size, service.counts.duplicates]).toEqual([50, 0]);
});

test("a recording that always fails does not stop the others", async () => {
  const entries = await makeEntries(folder, 300);
  service.agents.add("poison@example.com");
  service.hooks.neverTakes = (email) => email === "poison@example.com";
  const poison = { ...(entries[0] as Entry), agentEmail: "poison@example.com", file: "poison.wav" };
  const { counts, failures } = await run(toAsync([poison, ...entries]));
  expect(counts).toMatchObject({ imported: 300, failed: 1 });
  expect(failures).toMatchObject([{ file: "poison.wav", code: "unreachable" }]);
}, 120_000);

test.each([
  ["a rejected key", { status: 401, code: "unauthenticated" }, 3, "key"],
  ["a key without the import scope", { status: 403, code: "scope_missing" }, 3, "import"],
  [
    "a daily quota",
    { status: 429, code: "quota_exceeded", limit: "workspace_calls_per_day", retryAfter: 30_000 },
    4,
    "00:00 UTC",
  ],
  [
    "a storage quota",
    { status: 429, code: "quota_exceeded", limit: "workspace_stored_bytes", retryAfter: 3600 },
    4,
    "storage space",
  ],
])("%s stops the import with the reason, and the next run resumes", async (_, answer, exitCode, says) => {
  const entries = await makeEntries(folder, 100);
  service.hooks.fault = (path) =>
    path === upload && service.counts.stored >= 20 ? { kind: "answer", ...answer } : undefined;
  await expect(run(toAsync(entries))).rejects.toMatchObject({ exitCode, message: expect.stringContaining(says) });
  expect(service.counts.uploads).toBeLessThan(60);
  service.hooks.fault = () => undefined;
  expect((await run(toAsync(entries))).counts).toMatchObject({ failed: 0 });
  expect([service.calls.size, service.counts.duplicates]).toEqual([100, 0]);
});

test("a redirect stops the import, and the next run resumes", async () => {
  const entries = await makeEntries(folder, 40);
  service.hooks.fault = () => (service.counts.stored >= 10 ? { kind: "foreign", status: 302, text: "" } : undefined);
  await expect(run(toAsync(entries))).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringContaining("again to resume"),
  });
  service.hooks.fault = () => undefined;
  expect((await run(toAsync(entries))).counts.failed).toBe(0);
  expect(service.calls.size).toBe(40);
});

test("a proxy that rejects one recording does not stop the others", async () => {
  const entries = await makeEntries(folder, 40);
  let refused = false;
  service.hooks.fault = (path) => {
    if (path !== upload || refused || service.counts.stored < 10) return undefined;
    refused = true;
    return { kind: "foreign", status: 403, text: "<h1>Request blocked" };
  };
  const { counts, failures } = await run(toAsync(entries));
  expect(counts).toMatchObject({ imported: 39, failed: 1 });
  expect(failures).toMatchObject([{ code: "http_403", reason: expect.stringContaining("between this machine") }]);
});

test("a stop finishes running uploads and starts no new ones; the next run resumes", async () => {
  const entries = await makeEntries(folder, 100);
  const stop = new AbortController();
  service.hooks.fault = (path) => {
    if (path === upload && service.counts.stored >= 20) stop.abort();
    return path === upload ? { kind: "slow", ms: 30 } : undefined;
  };
  await expect(run(toAsync(entries), { signal: stop.signal })).rejects.toMatchObject({ exitCode: 130 });
  const { uploads, stored } = service.counts;
  expect(uploads).toBeLessThan(45);
  expect(stored).toBe(uploads);
  service.hooks.fault = () => undefined;
  const { counts } = await run(toAsync(entries));
  expect(counts).toMatchObject({ present: stored, imported: 100 - stored });
});

test("cancel does not wait for running uploads", async () => {
  const entries = await makeEntries(folder, 30);
  const [stop, cancel] = [new AbortController(), new AbortController()];
  service.hooks.fault = (path) => {
    if (path !== upload) return undefined;
    stop.abort();
    setTimeout(() => cancel.abort(), 50);
    return { kind: "slow", ms: 600_000 };
  };
  const signals = { signal: stop.signal, cancel: cancel.signal };
  await expect(run(toAsync(entries), signals)).rejects.toMatchObject({ exitCode: 130 });
});

test("a stop while waiting for the service does not wait for it", async () => {
  const entries = await makeEntries(folder, 10);
  const stop = new AbortController();
  service.hooks.fault = () => ({ kind: "answer", status: 503, code: "database_unavailable", retryAfter: 600 });
  setTimeout(() => stop.abort(), 300);
  await expect(run(toAsync(entries), { signal: stop.signal })).rejects.toMatchObject({ exitCode: 130 });
});
