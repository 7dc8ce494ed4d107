import { closeSync, fstatSync, ftruncateSync, readSync, write } from "node:fs";
import { promisify } from "node:util";
import { cannotWrite, type JournalFile, type JournalOptions, openJournalFile } from "./journal-file.ts";
import { openIndex } from "./journal-index.ts";

/** What became of an entry. `missing`: it was there and is not any more, so it has to be imported again. */
const results = ["imported", "present", "failed", "erased", "missing"] as const;
export type JournalResult = (typeof results)[number];

export interface JournalLine {
  readonly key: string;
  /** Of the manifest. */
  readonly line: number;
  readonly id: string | null;
  readonly sha256: string;
  readonly result: JournalResult;
}

/** As `add` writes them. Anything else in the file (a disk that was full, a power cut) is passed over. */
const lineForm =
  /^\{"key":"([0-9a-f]{16})","line":\d+,"id":(?:"[0-9a-f-]{36}"|null),"sha256":"[0-9a-f]{64}","result":"([a-z]+)"\}$/;
/** Rather too short: an index with a little room to spare need not grow. */
const usualLine = 175;
const longestLine = 256;
/** Lines that stand near each other are read at once. */
const blockBytes = 64 * 1024;
const writeAt = promisify(write);

/**
 * What was done, so that the next run need not ask for it again: a file of JSON lines that only grows. It is no more
 * than a shortcut; without it the service is asked, and nothing is lost or doubled.
 */
export async function openJournal(options: JournalOptions) {
  const { file, fd, headBytes, unlock } = await openJournalFile(options);
  const { index, endsAt } = readAll(fd, headBytes);
  const block = { bytes: Buffer.alloc(blockBytes), from: 0, length: 0 };
  /** Where what is being written, and what waits for it, begins in the file. */
  let writingFrom = endsAt;
  let waitingFrom = endsAt;
  let writing = "";
  let waiting = "";
  let work: Promise<void> | undefined;
  let failure: Error | undefined;
  let closing: Promise<void> | undefined;

  // One write at a time, which takes all lines that came during the one before.
  async function writeAll(): Promise<void> {
    while (waiting !== "" && !failure) {
      [writing, writingFrom] = [waiting, waitingFrom];
      [waiting, waitingFrom] = ["", waitingFrom + writing.length];
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
    if (offset >= waitingFrom) return waiting.slice(offset - waitingFrom);
    if (offset >= writingFrom) return writing.slice(offset - writingFrom);
    if (offset < block.from || offset + longestLine > block.from + block.length) {
      block.from = offset;
      block.length = readSync(fd, block.bytes, 0, blockBytes, offset);
    }
    const from = offset - block.from;
    return block.bytes.toString("latin1", from, Math.min(from + longestLine, block.length));
  }

  async function close(): Promise<void> {
    await work;
    try {
      closeSync(fd);
    } catch (error) {
      failure ??= cannotWrite(options.folder, error, 4);
    }
    // What is left behind is taken over by the next run.
    await unlock().catch(() => {});
    if (failure) throw failure;
  }

  return {
    file,
    get size() {
      return index.size;
    },
    /** How many entries it will know in the end: room for them is made at once, which takes less than growing. */
    expect(count: number): void {
      index.reserve(count);
    },
    /** What became of an entry; undefined: the service has to be asked. */
    find(key: string): JournalResult | undefined {
      const place = index.find(key);
      const result = place === undefined ? undefined : results[place % 8];
      return result === "missing" ? undefined : result;
    },
    /** All that is known of an entry. */
    read(key: string): JournalLine | undefined {
      const place = index.find(key);
      if (place === undefined) return undefined;
      const text = textAt(Math.floor(place / 8));
      const line = JSON.parse(text.slice(0, text.indexOf("\n"))) as JournalLine;
      return line.result === "missing" ? undefined : line;
    },
    /** Throws if what was added before could not be written. */
    add({ key, line, id, sha256, result }: JournalLine): void {
      if (failure) throw failure;
      const text = JSON.stringify({ key, line, id, sha256, result });
      // It would not be found again: as good as not noted.
      if (!lineForm.test(text)) return;
      index.set(key, (waitingFrom + waiting.length) * 8 + results.indexOf(result));
      waiting += `${text}\n`;
      work ??= Promise.resolve().then(writeAll);
    },
    /** Throws if something could not be written. Once closed it stays so. */
    close: (): Promise<void> => (closing ??= close()),
  };
}
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Goes through the lines once. A last one that is not whole was being written when the process was killed: cut off. */
function readAll(fd: JournalFile["fd"], headBytes: number) {
  const index = openIndex(fstatSync(fd).size / usualLine);
  const bytes = Buffer.alloc(blockBytes);
  let endsAt = headBytes;
  for (;;) {
    const text = bytes.toString("latin1", 0, readSync(fd, bytes, 0, bytes.length, endsAt));
    let from = 0;
    for (let to = text.indexOf("\n"); to !== -1; to = text.indexOf("\n", from)) {
      const [, key = "", result = ""] = lineForm.exec(text.slice(from, to)) ?? [];
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
