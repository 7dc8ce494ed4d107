import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hearback/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "../manifest/entry.ts";
import { openAdaptiveConcurrency } from "./concurrency/adaptive-concurrency.ts";
import { importEntries } from "./import-entries.ts";
import { openJournal } from "./journal/journal.ts";
import { startProgress } from "./progress.ts";
import { reconcile } from "./reconcile.ts";
import type { Difference } from "./reconciliation-report.ts";
import { type FakeService, openFakeService } from "./testing/fake-service.ts";
import { makeEntries, toAsync } from "./testing/make-entries.ts";

let folder = "";
let service: FakeService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-reconcile-"));
  service = await openFakeService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const apiKey = "key";
const open = () => openJournal({ folder: join(folder, "state"), service: service.url, apiKey });
const connect = () => createClient({ baseUrl: service.url, apiKey, retries: { attempts: 1 } });

async function importAll(entries: readonly Entry[]) {
  const journal = await open();
  const concurrency = openAdaptiveConcurrency();
  const progress = startProgress({ phase: "importing", total: 0, totalBytes: 0 }, concurrency);
  const source = toAsync(entries);
  const counts = await importEntries({
    client: connect(),
    entries: source,
    journal,
    concurrency,
    progress,
    onFailure: () => {},
  });
  await journal.close();
  return counts;
}

async function compare(
  entries: readonly Entry[],
  { journaled = true, signal = undefined as AbortSignal | undefined } = {},
) {
  const differences: Difference[] = [];
  const journal = journaled ? await open() : undefined;
  const concurrency = openAdaptiveConcurrency();
  const progress = startProgress({ phase: "reconciling", total: entries.length, totalBytes: 0 }, concurrency);
  const onDifference = (difference: Difference) => void differences.push(difference);
  try {
    const source = { client: connect(), entries: toAsync(entries), journal, concurrency, progress, signal };
    return { result: await reconcile({ ...source, onDifference }), differences, progress };
  } finally {
    await journal?.close();
  }
}

const idsInOrder = () => [...service.calls.values()].sort((a, b) => a.timestamp - b.timestamp).map(({ id }) => id);

test.each([
  ["with", true],
  ["without", false],
])("%s a journal, finds all imported calls and computes a reproducible digest", async (_, journaled) => {
  const entries = await makeEntries(folder, 1_200, 50);
  await importAll(entries);
  const before = service.counts.lookUps;
  const { result, differences, progress } = await compare(entries, { journaled });
  const proof = idsInOrder().map((id, at) => `${at + 2}:${id}\n`);
  expect(result).toEqual({
    rows: 1_200,
    present: 1_200,
    failed: 0,
    missing: 0,
    erased: 0,
    notImportable: 0,
    doubled: 0,
    digest: hash("sha256", proof.join("")),
    complete: true,
  });
  expect([differences, progress.done, service.counts.lookUps - before]).toEqual([[], 1_200, 2]);
});

test("reports every difference with its line", async () => {
  const entries = await makeEntries(folder, 10);
  await importAll(entries.slice(0, 8));
  const ids = idsInOrder();
  service.calls.delete(ids[1] ?? "");
  service.failed.add(ids[2] ?? "");
  service.erased.add(ids[3] ?? "");
  await rm(entries[8]?.path ?? "");
  const rows = [
    ...entries,
    { ...(entries[0] as Entry), line: 20 },
    { ...(entries[0] as Entry), line: 21, agentEmail: "bob@example.com" },
  ];
  const { result, differences } = await compare(rows);
  expect(result).toMatchObject({
    rows: 12,
    present: 7,
    failed: 1,
    missing: 2,
    erased: 1,
    notImportable: 2,
    doubled: 1,
  });
  expect(result.complete).toBe(false);
  expect(differences.map(({ line, kind }) => [line, kind])).toEqual([
    [3, "missing"],
    [4, "failed"],
    [5, "erased"],
    [10, "not_importable"],
    [11, "missing"],
    [20, "doubled"],
    [21, "not_importable"],
  ]);
  expect(differences.at(-2)?.detail).toContain("line 2");
});

test("a journalled call that the service lost is imported again", async () => {
  const entries = await makeEntries(folder, 10);
  await importAll(entries);
  service.calls.delete(idsInOrder()[4] ?? "");
  expect(await importAll(entries)).toMatchObject({ imported: 0, present: 10 });
  expect((await compare(entries)).result).toMatchObject({ missing: 1, complete: false });
  expect(await importAll(entries)).toMatchObject({ imported: 1, present: 9 });
  expect((await compare(entries)).result).toMatchObject({ missing: 0, complete: true });
});

test("splits a rejected look-up", async () => {
  const entries = await makeEntries(folder, 40);
  await importAll(entries);
  let refused = 0;
  service.hooks.fault = () => (refused++ < 3 ? { kind: "answer", status: 413, code: "body_too_large" } : undefined);
  expect((await compare(entries)).result).toMatchObject({ present: 40, complete: true });
});

test("retries transient failures, but not a rejected key", async () => {
  const entries = await makeEntries(folder, 10);
  await importAll(entries);
  let asked = 0;
  service.hooks.fault = () => (asked++ < 2 ? { kind: "cut" } : undefined);
  expect((await compare(entries)).result.complete).toBe(true);
  service.hooks.fault = () => ({ kind: "answer", status: 401, code: "unauthenticated" });
  await expect(compare(entries)).rejects.toMatchObject({ exitCode: 3 });
});

test("a stop reports no differences", async () => {
  const entries = await makeEntries(folder, 5);
  await expect(compare(entries, { signal: AbortSignal.abort() })).rejects.toMatchObject({ exitCode: 130 });
});
