import { closeSync, fstatSync, ftruncateSync, readSync, write } from "node:fs";
import { promisify } from "node:util";
import { cannotWrite, type JournalFile, type JournalOptions, openJournalFile } from "./journal-file.ts";
import { openIndex } from "./journal-index.ts";

/** Result of an entry. `missing`: no longer on the service, so it has to be imported again. */
const results = ["imported", "present", "failed", "erased", "missing"] as const;
export type JournalResult = (typeof results)[number];

export interface JournalLine {
  readonly key: string;
  /** Line in the manifest. */
  readonly line: number;
  readonly id: string | null;
  readonly sha256: string;
  readonly result: JournalResult;
}

/** Format of a line. Other lines are skipped, such as damage from a full disk or a power cut. */
const linePattern =
  /^\{"key":"([0-9a-f]{16})","line":\d+,"id":(?:"[0-9a-f-]{36}"|null),"sha256":"[0-9a-f]{64}","result":"([a-z]+)"\}$/;
/** Lower bound of the line length, so that the index is sized generously. */
const minLineBytes = 175;
const maxLineBytes = 256;
/** Read-ahead: neighbouring lines are read in one block. */
const blockBytes = 64 * 1024;
const writeAt = promisify(write);

/**
 * Append-only JSON lines file of completed entries, so that the next run can skip them. It is only a cache: without it,
 * the import looks up every call on the service, and nothing is lost or duplicated.
 */
export async function openJournal(options: JournalOptions) {
  const { file, fd, headBytes, unlock } = await openJournalFile(options);
  const { index, endsAt } = readAll(fd, headBytes);
  const block = { bytes: Buffer.alloc(blockBytes), from: 0, length: 0 };
  /** File offsets of the text being written and of the pending text. */
  let writingFrom = endsAt;
  let pendingFrom = endsAt;
  let writing = "";
  let pending = "";
  let work: Promise<void> | undefined;
  let failure: Error | undefined;
  let closing: Promise<void> | undefined;

  // Group commit: each write takes all lines that arrived during the previous one.
  async function flush(): Promise<void> {
    while (pending !== "" && !failure) {
      [writing, writingFrom] = [pending, pendingFrom];
      [pending, pendingFrom] = ["", pendingFrom + writing.length];
      const bytes = Buffer.from(writing, "latin1");
      try {
        for (let at = 0; at < bytes.length; )
          at += (await writeAt(fd, bytes, at, bytes.length - at, writingFrom + at)).bytesWritten;
      } catch (error) {
        failure = cannotWrite(options.folder, error, 4);
      }
    }
    work = undefined;
  }

  function textAt(offset: number): string {
    if (offset >= pendingFrom) return pending.slice(offset - pendingFrom);
    if (offset >= writingFrom) return writing.slice(offset - writingFrom);
    if (offset < block.from || offset + maxLineBytes > block.from + block.length) {
      block.from = offset;
      block.length = readSync(fd, block.bytes, 0, blockBytes, offset);
    }
    const from = offset - block.from;
    return block.bytes.toString("latin1", from, Math.min(from + maxLineBytes, block.length));
  }

  async function close(): Promise<void> {
    await work;
    try {
      closeSync(fd);
    } catch (error) {
      failure ??= cannotWrite(options.folder, error, 4);
    }
    // The next run takes over a stale lock.
    await unlock().catch(() => {});
    if (failure) throw failure;
  }

  return {
    file,
    get size() {
      return index.size;
    },
    /** Reserves capacity for the expected number of entries. */
    reserve(count: number): void {
      index.reserve(count);
    },
    /** Result of an entry; undefined if unknown. */
    find(key: string): JournalResult | undefined {
      const place = index.find(key);
      const result = place === undefined ? undefined : results[place % 8];
      return result === "missing" ? undefined : result;
    },
    /** The full line of an entry. */
    read(key: string): JournalLine | undefined {
      const place = index.find(key);
      if (place === undefined) return undefined;
      const text = textAt(Math.floor(place / 8));
      const line = JSON.parse(text.slice(0, text.indexOf("\n"))) as JournalLine;
      return line.result === "missing" ? undefined : line;
    },
    /** Throws if an earlier write failed. */
    add({ key, line, id, sha256, result }: JournalLine): void {
      if (failure) throw failure;
      const text = JSON.stringify({ key, line, id, sha256, result });
      // The reader would skip it.
      if (!linePattern.test(text)) return;
      index.set(key, (pendingFrom + pending.length) * 8 + results.indexOf(result));
      pending += `${text}\n`;
      work ??= Promise.resolve().then(flush);
    },
    /** Throws if a write failed. Idempotent. */
    close: (): Promise<void> => (closing ??= close()),
  };
}
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Builds the index. Truncates an incomplete last line, left by a killed process. */
function readAll(fd: JournalFile["fd"], headBytes: number) {
  const index = openIndex(fstatSync(fd).size / minLineBytes);
  const bytes = Buffer.alloc(blockBytes);
  let endsAt = headBytes;
  for (;;) {
    const text = bytes.toString("latin1", 0, readSync(fd, bytes, 0, bytes.length, endsAt));
    let from = 0;
    for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
      const [, key = "", result = ""] = linePattern.exec(text.slice(from, to)) ?? [];
      const code = results.indexOf(result as JournalResult);
      if (code !== -1) index.set(key, (endsAt + from) * 8 + code);
      from = to + 1;
    }
    if (from === 0) break;
    endsAt += from;
  }
  ftruncateSync(fd, endsAt);
  return { index, endsAt };
}
