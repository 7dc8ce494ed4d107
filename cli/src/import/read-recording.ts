import { createHash, hash } from "node:crypto";
import { closeSync, createReadStream, open, read, type Stats, statSync } from "node:fs";
import { promisify } from "node:util";
import type { Recording } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import type { BufferPool } from "./buffer-pool.ts";
import { EntryError } from "./entry-error.ts";

/** Recordings up to this size are kept in memory until they are sent. Larger ones are streamed twice. */
export const keptBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
/** A file modified less than this ago may still be written to. */
const quietMs = 1_000;
const openFile = promisify(open);
const readFrom = promisify(read);

export interface ReadRecording {
  readonly sha256: string;
  readonly recording: Recording;
  /** The error that interrupted reading during the upload. */
  problem(): EntryError | undefined;
  /** Returns the buffer to the pool. */
  free(): void;
}

type Named = Pick<Entry, "path" | "file" | "bytes" | "modifiedMs">;

const changed = (file: string, when: string) =>
  new EntryError("file_changed", `${file} changed ${when}: it is still being written, or was replaced.`);

const unreadable = ({ file }: Named, error: unknown) =>
  error instanceof EntryError
    ? error
    : new EntryError("file_unreadable", `Cannot read ${file}: ${error instanceof Error ? error.message : error}`);

const differs = (entry: Named, now: { size: number; mtimeMs: number }) =>
  // Tolerate rounding to whole milliseconds.
  now.size !== entry.bytes || Math.abs(now.mtimeMs - entry.modifiedMs) >= 1;

/** Reads and hashes a recording. Only the hashed bytes can be sent later. */
export async function readRecording(entry: Named, buffers: BufferPool): Promise<ReadRecording> {
  try {
    return entry.bytes <= keptBytes ? await readWhole(entry, buffers) : await readThrough(entry);
  } catch (error) {
    throw unreadable(entry, error);
  }
}

/** Time until a recording may be read. Capped at `quietMs`: the clock of a file server may be ahead. */
export const quietTimeLeftMs = ({ modifiedMs }: Named, now = Date.now()): number =>
  Math.max(0, Math.min(quietMs, Math.ceil(modifiedMs + quietMs - now)));

/** Throws if a recording changed since its entry was created. */
export function checkUnchanged(entry: Named, when: string): void {
  let now: Stats;
  try {
    // Sync: the inode is cached, so a thread pool round trip would take longer.
    now = statSync(entry.path);
  } catch (error) {
    throw unreadable(entry, error);
  }
  if (differs(entry, now)) throw changed(entry.file, when);
}

async function readWhole(entry: Named, buffers: BufferPool): Promise<ReadRecording> {
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
  const free = () => buffers.release(bytes);
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

/** Holds back the last chunk until the hash is verified. The service discards an incomplete form. */
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
