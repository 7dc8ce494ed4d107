import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "../../manifest/entry.ts";

const longAgo = new Date("2024-05-01T10:00:00Z");

/** An entry for an existing file. Each number is a different call. */
export async function makeEntry(path: string, number: number, changes: Partial<Entry> = {}): Promise<Entry> {
  const { size, mtimeMs } = await stat(path);
  return entryOf(path, { bytes: size, modifiedMs: mtimeMs }, number, changes);
}

const entryOf = (
  path: string,
  of: Pick<Entry, "bytes" | "modifiedMs">,
  number: number,
  changes: Partial<Entry> = {},
) => ({
  line: number + 1,
  file: `${number}.wav`,
  path,
  ...of,
  campaignId: "support-fr",
  agentEmail: "Ann@example.com",
  agentName: "Ann Lee",
  happenedAt: 1_714_557_600 + number,
  metadata: [{ key: "number", value: String(number) }],
  cells: [`${number}.wav`, "ann@example.com"],
  ...changes,
});

/** Creates files with different contents and an old modification time, and an entry for each. */
export async function makeEntries(folder: string, count: number, bytes = 2_000): Promise<Entry[]> {
  await mkdir(folder, { recursive: true });
  const entries: Entry[] = [];
  for (let number = 1; number <= count; number++) {
    const path = join(folder, `${number}.wav`);
    await writeFile(path, Buffer.alloc(bytes, `recording ${number};`));
    await utimes(path, longAgo, longAgo);
    entries.push(await makeEntry(path, number));
  }
  return entries;
}

/** Yields entries for one file without keeping them in memory. */
export async function* generateEntries(path: string, count: number): AsyncGenerator<Entry> {
  const { size, mtimeMs } = await stat(path);
  for (let number = 1; number <= count; number++) yield entryOf(path, { bytes: size, modifiedMs: mtimeMs }, number);
}

export async function* toAsync<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
