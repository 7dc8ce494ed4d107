import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entry } from "../manifest/entry.ts";
import { type PlayedService, playService } from "./testing/play-service.ts";
import { type RunImportOptions, runImport } from "./testing/run-import.ts";
import { anEntry, oneByOne, someEntries } from "./testing/some-entries.ts";

let folder = "";
let service: PlayedService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-import-"));
  service = await playService();
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (entries: AsyncIterable<Entry>, options: Partial<RunImportOptions> = {}) =>
  runImport({ url: service.url, folder, entries, ...options });

test("imports every entry once, with what was meant; a second run sends nothing and asks nothing", async () => {
  const entries = await someEntries(folder, 300);
  const { counts, progress } = await run(oneByOne(entries));
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
  expect((await run(oneByOne(entries))).counts).toEqual({ imported: 0, present: 300, failed: 0, erased: 0 });
  expect(service.requests).toHaveLength(length);
});

test("without its journal it asks the service, and sends only what is not there", async () => {
  const entries = await someEntries(folder, 60);
  await run(oneByOne(entries.slice(0, 40)));
  const { counts } = await run(oneByOne(entries), { state: "another" });
  expect(counts).toMatchObject({ imported: 20, present: 40 });
  expect(service.counts).toMatchObject({ uploads: 60, duplicates: 0 });
});

test("large recordings are streamed", async () => {
  const entries = await someEntries(folder, 3, 5 * 1024 * 1024 + 1);
  expect((await run(oneByOne(entries))).counts.imported).toBe(3);
});

test("what was erased is not sent and told; what cannot be played is there", async () => {
  const entries = await someEntries(folder, 4);
  await run(oneByOne(entries));
  const ids = [...service.calls.values()].sort((a, b) => a.timestamp - b.timestamp).map(({ id }) => id);
  service.erased.add(ids[1] ?? "");
  service.failed.add(ids[2] ?? "");
  const { counts, notices, failures } = await run(oneByOne(entries), { state: "another" });
  expect([counts, failures]).toEqual([{ imported: 0, present: 3, failed: 0, erased: 1 }, []]);
  const told = notices.map(({ line, code }) => [line, code] as const).sort(([a], [b]) => a - b);
  expect(told).toEqual([
    [3, "erased"],
    [4, "not_playable"],
  ]);
  expect((await run(oneByOne(entries), { state: "another" })).counts).toMatchObject({ present: 3, erased: 1 });
});

const upload = "/calls/audio";
test("what the service refuses is named with its row and a fix, and the rest is imported", async () => {
  const entries = await someEntries(folder, 10);
  await writeFile(join(folder, "empty.wav"), "");
  const empty = await anEntry(join(folder, "empty.wav"), 11);
  const unknown = { ...(entries[0] as Entry), agentEmail: "bob@example.com", line: 13 };
  const gone = { ...(entries[1] as Entry), path: join(folder, "gone.wav"), file: "gone.wav", line: 14 };
  const { counts, failures } = await run(oneByOne([...entries, empty, unknown, gone]));
  expect(counts).toEqual({ imported: 10, present: 0, failed: 3, erased: 0 });
  failures.sort((a, b) => a.line - b.line);
  expect(failures).toMatchObject([
    { line: 12, code: "recording_empty", cells: empty.cells, fix: expect.stringContaining("recorder") },
    { line: 13, code: "agent_not_found", fix: expect.stringContaining("--create-agents") },
    { line: 14, code: "file_unreadable", file: "gone.wav", reason: expect.stringContaining("gone.wav") },
  ]);
});

test("rows of an agent who could not be created say why", async () => {
  const entries = await someEntries(folder, 2);
  const [unknown, refused] = ["Bob@example.com", "Eve@example.com"].map((agentEmail, at) => ({
    ...(entries[at] as Entry),
    agentEmail,
  })) as [Entry, Entry];
  const agentProblems = new Map([["eve@example.com", "name: must be another."]]);
  const { failures } = await run(oneByOne([unknown, refused]), { agentProblems });
  expect(failures.toSorted((a, b) => a.line - b.line)).toMatchObject([
    { code: "agent_not_found", reason: 'There is no agent "Bob@example.com" in this workspace.' },
    {
      code: "agent_not_found",
      reason: 'The agent "Eve@example.com" could not be created: name: must be another.',
      fix: expect.stringContaining("create the agent yourself"),
    },
  ]);
});

test("a look-up that is refused as a whole does not keep anything from being imported", async () => {
  const entries = await someEntries(folder, 10);
  service.hooks.fault = (path) =>
    path === "/calls/lookup" ? { kind: "answer", status: 422, code: "fields_invalid" } : undefined;
  expect((await run(oneByOne(entries))).counts.imported).toBe(10);
});

test("an agent who is deleted in the middle is a failure of its rows", async () => {
  const entries = await someEntries(folder, 10);
  service.hooks.fault = (path) =>
    path === upload ? { kind: "answer", status: 404, code: "agent_not_found" } : undefined;
  const { counts, failures } = await run(oneByOne(entries));
  expect(counts.failed).toBe(10);
  expect(failures[0]).toMatchObject({ code: "agent_not_found", fix: expect.stringContaining("--create-agents") });
});

test("a source that fails ends the import with its reason", async () => {
  const entries = await someEntries(folder, 5);
  async function* broken() {
    yield* entries;
    throw new Error("the manifest was cut off");
  }
  await expect(run(broken())).rejects.toThrow("the manifest was cut off");
});

test("an answer about another call is a failure", async () => {
  const entries = await someEntries(folder, 1);
  service.hooks.answersWith = { conversation_timestamp: 5 };
  const { failures } = await run(oneByOne(entries));
  expect(failures).toMatchObject([
    { code: "answer_differs", reason: expect.stringContaining("conversation_timestamp") },
  ]);
});
