import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type JournalLine, openJournal } from "./journal.ts";
import { openIndex } from "./journal-index.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-journal-"));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (changes: Partial<Parameters<typeof openJournal>[0]> = {}) =>
  openJournal({ folder, service: "https://hearback.example.com", apiKey: "secret", ...changes });

const makeLine = (number: number, changes: Partial<JournalLine> = {}): JournalLine => ({
  key: hash("sha1", String(number)).slice(0, 16),
  line: number,
  id: "0f5c9d52-4a0b-4a86-9a6e-5a2f0f4b7f0c",
  sha256: hash("sha256", String(number)),
  result: "imported",
  ...changes,
});

test("finds added lines, before and after reopening", async () => {
  const lines = Array.from({ length: 3_000 }, (_, at) =>
    makeLine(at + 1, at % 7 === 0 ? { id: null, result: "erased" } : {}),
  );
  const journal = await open();
  for (const line of lines) journal.add(line);
  for (const line of lines) expect(journal.read(line.key)).toEqual(line);
  await journal.close();
  const again = await open();
  expect(again.size).toBe(3_000);
  for (const line of lines.toReversed()) {
    expect(again.read(line.key)).toEqual(line);
    expect(again.find(line.key)).toBe(line.result);
  }
  again.add(makeLine(4_000));
  await again.close();
  const thrice = await open();
  expect([thrice.size, thrice.find(makeLine(4_000).key), thrice.find(makeLine(5_000).key)]).toEqual([
    3_001,
    "imported",
    undefined,
  ]);
  await thrice.close();
});

test("a missing call is imported again", async () => {
  const journal = await open();
  journal.add(makeLine(1));
  journal.add(makeLine(1, { result: "missing" }));
  expect([journal.find(makeLine(1).key), journal.read(makeLine(1).key)]).toEqual([undefined, undefined]);
  await journal.close();
  const again = await open();
  expect(again.find(makeLine(1).key)).toBeUndefined();
  again.add(makeLine(1, { result: "present" }));
  expect(again.find(makeLine(1).key)).toBe("present");
  await again.close();
});

test("truncated at any byte, it opens with all complete lines and can be extended", async () => {
  const journal = await open();
  for (let number = 1; number <= 20; number++) journal.add(makeLine(number));
  await journal.close();
  const whole = await readFile(journal.file);
  const everyCut = fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (length) => {
    await writeFile(journal.file, whole);
    await truncate(journal.file, length);
    const kept = whole.subarray(0, length).toString().split("\n").length - 2;
    const cut = await open();
    expect(cut.size).toBe(Math.max(0, kept));
    for (let number = 1; number <= 20; number++)
      expect(cut.read(makeLine(number).key)).toEqual(number <= kept ? makeLine(number) : undefined);
    cut.add(makeLine(99));
    await cut.close();
    const again = await open();
    expect([again.size, again.read(makeLine(99).key)]).toEqual([Math.max(0, kept) + 1, makeLine(99)]);
    await again.close();
  });
  await fc.assert(everyCut, { numRuns: 200 });
});

test("skips damaged lines", async () => {
  const journal = await open();
  for (let number = 1; number <= 3; number++) journal.add(makeLine(number));
  await journal.close();
  const [head, first, second, third] = (await readFile(journal.file, "utf8")).split("\n");
  await writeFile(journal.file, [head, first, "\0".repeat(second?.length ?? 0), third, ""].join("\n"));
  const again = await open();
  expect([1, 2, 3].map((number) => again.find(makeLine(number).key))).toEqual(["imported", undefined, "imported"]);
  expect(again.read(makeLine(3).key)).toEqual(makeLine(3));
  await again.close();
});

test.each([
  ["another service", { service: "https://other.example.com" }],
  ["another key, possibly of another workspace", { apiKey: "another" }],
])("%s has its own file, and both can be open concurrently", async (_, other) => {
  const journal = await open();
  journal.add(makeLine(1));
  const others = await open(other);
  expect(others.find(makeLine(1).key)).toBeUndefined();
  others.add(makeLine(2));
  await Promise.all([journal.close(), others.close()]);
  const [again, othersAgain] = [await open(), await open(other)];
  expect([again.size, again.find(makeLine(1).key)]).toEqual([1, "imported"]);
  expect([othersAgain.size, othersAgain.find(makeLine(2).key)]).toEqual([1, "imported"]);
  expect(await readFile(again.file, "utf8")).not.toContain("secret");
  await Promise.all([again.close(), othersAgain.close()]);
  expect((await readdir(folder)).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

test("two runs cannot write concurrently; the lock of a dead process is taken over", async () => {
  const sleeper = spawn("sleep", ["60"]);
  await writeFile(join(folder, "journal.lock"), String(sleeper.pid));
  await expect(open()).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`process ${sleeper.pid}`),
  });
  const ended = new Promise((resolve) => sleeper.once("exit", resolve));
  sleeper.kill("SIGKILL");
  await ended;
  const journal = await open();
  expect(await readFile(join(folder, "journal.lock"), "utf8")).toMatch(new RegExp(`^${process.pid}\\b`));
  await journal.close();
});

test("a reused process id does not hold the lock", async () => {
  const sleeper = spawn("sleep", ["60"]);
  await writeFile(join(folder, "journal.lock"), `${sleeper.pid} 1`);
  await (await open()).close();
  sleeper.kill("SIGKILL");
});

test("reports a folder that is not writable", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  await expect(open({ folder: join(file, "state") })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(join(file, "state")),
  });
});

test("the index of a million entries takes at most 25 MB and finds each of them", () => {
  const index = openIndex();
  const keyOf = (number: number) => hash("sha1", String(number)).slice(0, 16);
  for (let number = 1; number <= 1_000_000; number++) index.set(keyOf(number), number);
  expect([index.size, index.bytes <= 25e6]).toEqual([1_000_000, true]);
  for (let number = 1; number <= 1_000_000; number += 97) expect(index.find(keyOf(number))).toBe(number);
  for (let number = 2_000_000; number <= 2_010_000; number++) expect(index.find(keyOf(number))).toBeUndefined();
});

test("an index with reserved capacity takes at most 18 MB for a million entries and keeps existing ones", () => {
  const index = openIndex();
  const keyOf = (number: number) => hash("sha1", String(number)).slice(0, 16);
  const valueFor = (number: number) => number * 2 ** 27 + 1;
  for (let number = 1; number <= 1_000; number++) index.set(keyOf(number), valueFor(number));
  index.reserve(1_000_000);
  index.reserve(10);
  expect([index.size, index.bytes <= 18e6]).toEqual([1_000, true]);
  for (let number = 1; number <= 1_000; number++) expect(index.find(keyOf(number))).toBe(valueFor(number));
});
