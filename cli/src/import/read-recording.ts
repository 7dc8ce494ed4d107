import { createHash, hash } from "node:crypto";
import { closeSync, createReadStream, open, read, type Stats, statSync } from "node:fs";
import { promisify } from "node:util";
import type { Recording } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import type { Buffers } from "./buffers.ts";
import { EntryError } from "./entry-error.ts";

/** Up to here a recording is read once and kept until it is sent. */
export const keptBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
/** What was written to less than this ago may be written to again. */
const quietMs = 1_000;
const openFile = promisify(open);
const readFrom = promisify(read);

export interface ReadRecording {
  readonly sha256: string;
  readonly recording: Recording;
  /** What stopped it from being read while it was sent. */
  problem(): EntryError | undefined;
  /** Its memory may be used again. */
  free(): void;
}

type Named = Pick<Entry, "path" | "file" | "bytes" | "modifiedMs">;

const changed = (file: string, when: string) =>
  new EntryError("file_changed", `${file} has changed ${when}: it is still being written, or was replaced.`);

const unreadable = ({ file }: Named, error: unknown) =>
  error instanceof EntryError
    ? error
    : new EntryError("file_unreadable", `${file} cannot be read: ${error instanceof Error ? error.message : error}`);

const differs = (entry: Named, now: { size: number; mtimeMs: number }) =>
  // Fractions of a millisecond may have been rounded away.
  now.size !== entry.bytes || Math.abs(now.mtimeMs - entry.modifiedMs) >= 1;

/** Reads and hashes a recording. What is sent later is what was hashed, or nothing. */
export async function readRecording(entry: Named, buffers: Buffers): Promise<ReadRecording> {
  try {
    return entry.bytes <= keptBytes ? await readWhole(entry, buffers) : await readThrough(entry);
  } catch (error) {
    throw unreadable(entry, error);
  }
}

/** For how long a recording is not to be read yet. Never longer than that: the clock of a file server may be ahead. */
export const freshForMs = ({ modifiedMs }: Named, now = Date.now()): number =>
  Math.max(0, Math.min(quietMs, Math.ceil(modifiedMs + quietMs - now)));

/** Throws if a recording is not any more as it was when its entry was made. */
export function checkUnchanged(entry: Named, when: string): void {
  let now: Stats;
  try {
    // It was read a moment ago: what is asked for is in memory, and a thread would take longer to be woken.
    now = statSync(entry.path);
  } catch (error) {
    throw unreadable(entry, error);
  }
  if (differs(entry, now)) throw changed(entry.file, when);
}

async function readWhole(entry: Named, buffers: Buffers): Promise<ReadRecording> {
  const bytes = buffers.take(entry.bytes);
  const fd = await openFile(entry.path, "r");
  try {
    let at = 0;
    while (at < bytes.length) {
      const { bytesRead } = await readFrom(fd, bytes, at, bytes.length - at, at);
      if (bytesRead === 0) throw changed(entry.file, "since the manifest was read");
      at += bytesRead;
    }
    checkUnchanged(entry, "since the manifest was read");
  } finally {
    closeSync(fd);
  }
  const free = () => buffers.giveBack(bytes);
  return { sha256: hash("sha256", bytes), recording: bytes, problem: () => undefined, free };
}

async function readThrough(entry: Named): Promise<ReadRecording> {
  const digest = createHash("sha256");
  for await (const chunk of chunksOf(entry)) digest.update(chunk);
  checkUnchanged(entry, "while it was read");
  const sha256 = digest.digest("hex");
  let problem: EntryError | undefined;

  async function* again(): AsyncGenerator<Uint8Array> {
    problem = undefined;
    try {
      yield* sameBytes(entry, sha256);
    } catch (error) {
      problem = unreadable(entry, error);
      throw problem;
    }
  }
  return { sha256, recording: { bytes: entry.bytes, stream: again }, problem: () => problem, free: () => {} };
}

/** The last chunk is held back until it is sure that all are those that were hashed: a form without its end is nothing. */
async function* sameBytes(entry: Named, sha256: string): AsyncGenerator<Uint8Array> {
  const digest = createHash("sha256");
  let last: Uint8Array | undefined;
  for await (const chunk of chunksOf(entry)) {
    digest.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (digest.digest("hex") !== sha256) throw changed(entry.file, "before it was sent");
  if (last) yield last;
}

const chunksOf = ({ path, bytes }: Named): AsyncIterable<Buffer> =>
  createReadStream(path, { end: bytes - 1, highWaterMark: chunkBytes });
