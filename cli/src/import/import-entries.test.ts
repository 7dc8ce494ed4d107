import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "../manifest/entry.ts";
import { type FakeService, openFakeService } from "./testing/fake-service.ts";
import { makeEntries, makeEntry, toAsync } from "./testing/make-entries.ts";
import { type RunImportOptions, runImport } from "./testing/run-import.ts";

let folder = "";
let service: FakeService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-import-"));
  service = await openFakeService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (entries: AsyncIterable<Entry>, options: Partial<RunImportOptions> = {}) =>
  runImport({ url: service.url, folder, entries, ...options });

test("imports every entry once; a second run sends no requests", async () => {
  const entries = await makeEntries(folder, 300);
  const { counts, progress } = await run(toAsync(entries));
  expect(counts).toEqual({ imported: 300, present: 0, failed: 0, erased: 0 });
  expect(progress).toMatchObject({ done: 300, doneBytes: 600_000, imported: 300, present: 0, failed: 0 });
  expect(service.counts).toMatchObject({ stored: 300, uploads: 300, lookedUp: 300 });
  expect(service.counts.lookUps).toBeLessThan(40);
  const call = [...service.calls.values()].find(({ timestamp }) => timestamp === entries[6]?.happenedAt);
  expect(call).toMatchObject({
    agent: "ann@example.com",
    campaign: "support-fr",
    metadata: '[{"key":"number","value":"7"}]',
  });
  const { length } = service.requests;
  expect((await run(toAsync(entries))).counts).toEqual({ imported: 0, present: 300, failed: 0, erased: 0 });
  expect(service.requests).toHaveLength(length);
});

test("without a journal, looks up calls and sends only the missing ones", async () => {
  const entries = await makeEntries(folder, 60);
  await run(toAsync(entries.slice(0, 40)));
  const { counts } = await run(toAsync(entries), { state: "another" });
  expect(counts).toMatchObject({ imported: 20, present: 40 });
  expect(service.counts).toMatchObject({ uploads: 60, duplicates: 0 });
});

test("large recordings are streamed", async () => {
  const entries = await makeEntries(folder, 3, 5 * 1024 * 1024 + 1);
  expect((await run(toAsync(entries))).counts.imported).toBe(3);
});

test("reports erased calls and does not send them; calls that failed preparation count as present", async () => {
  const entries = await makeEntries(folder, 4);
  await run(toAsync(entries));
  const ids = [...service.calls.values()].sort((a, b) => a.timestamp - b.timestamp).map(({ id }) => id);
  service.erased.add(ids[1] ?? "");
  service.failed.add(ids[2] ?? "");
  const { counts, notices, failures } = await run(toAsync(entries), { state: "another" });
  expect([counts, failures]).toEqual([{ imported: 0, present: 3, failed: 0, erased: 1 }, []]);
  const reported = notices.map(({ line, code }) => [line, code] as const).sort(([a], [b]) => a - b);
  expect(reported).toEqual([
    [3, "erased"],
    [4, "not_playable"],
  ]);
  expect((await run(toAsync(entries), { state: "another" })).counts).toMatchObject({ present: 3, erased: 1 });
});

const upload = "/calls/audio";
test("reports rejected rows with a fix and imports the rest", async () => {
  const entries = await makeEntries(folder, 10);
  await writeFile(join(folder, "empty.wav"), "");
  const empty = await makeEntry(join(folder, "empty.wav"), 11);
  const unknown = { ...(entries[0] as Entry), agentEmail: "bob@example.com", line: 13 };
  const gone = { ...(entries[1] as Entry), path: join(folder, "gone.wav"), file: "gone.wav", line: 14 };
  const { counts, failures } = await run(toAsync([...entries, empty, unknown, gone]));
  expect(counts).toEqual({ imported: 10, present: 0, failed: 3, erased: 0 });
  failures.sort((a, b) => a.line - b.line);
  expect(failures).toMatchObject([
    { line: 12, code: "recording_empty", cells: empty.cells, fix: expect.stringContaining("recorder") },
    { line: 13, code: "agent_not_found", fix: expect.stringContaining("--create-agents") },
    { line: 14, code: "file_unreadable", file: "gone.wav", reason: expect.stringContaining("gone.wav") },
  ]);
});

test("rows of an agent who could not be created report the reason", async () => {
  const entries = await makeEntries(folder, 2);
  const [unknown, refused] = ["Bob@example.com", "Eve@example.com"].map((agentEmail, at) => ({
    ...(entries[at] as Entry),
    agentEmail,
  })) as [Entry, Entry];
  const agentProblems = new Map([["eve@example.com", "name: must be another."]]);
  const { failures } = await run(toAsync([unknown, refused]), { agentProblems });
  expect(failures.toSorted((a, b) => a.line - b.line)).toMatchObject([
    { code: "agent_not_found", reason: 'No agent "Bob@example.com" in this workspace.' },
    {
      code: "agent_not_found",
      reason: 'The agent "Eve@example.com" could not be created: name: must be another.',
      fix: expect.stringContaining("create the agent yourself"),
    },
  ]);
});

test("a rejected look-up does not prevent the import", async () => {
  const entries = await makeEntries(folder, 10);
  service.hooks.fault = (path) =>
    path === "/calls/lookup" ? { kind: "answer", status: 422, code: "fields_invalid" } : undefined;
  expect((await run(toAsync(entries))).counts.imported).toBe(10);
});

test("rows of an agent who is deleted during the import fail", async () => {
  const entries = await makeEntries(folder, 10);
  service.hooks.fault = (path) =>
    path === upload ? { kind: "answer", status: 404, code: "agent_not_found" } : undefined;
  const { counts, failures } = await run(toAsync(entries));
  expect(counts.failed).toBe(10);
  expect(failures[0]).toMatchObject({ code: "agent_not_found", fix: expect.stringContaining("--create-agents") });
});

test("an error of the source stops the import", async () => {
  const entries = await makeEntries(folder, 5);
  async function* broken() {
    yield* entries;
    throw new Error("the manifest was cut off");
  }
  await expect(run(broken())).rejects.toThrow("the manifest was cut off");
});

test("a response about a different call is a failure", async () => {
  const entries = await makeEntries(folder, 1);
  service.hooks.answersWith = { conversation_timestamp: 5 };
  const { failures } = await run(toAsync(entries));
  expect(failures).toMatchObject([
    { code: "answer_differs", reason: expect.stringContaining("conversation_timestamp") },
  ]);
});
