import { hash } from "node:crypto";
import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ImportStopped } from "./import-stopped.ts";
import { takeLock } from "./journal-lock.ts";

const version = 1;

export interface JournalOptions {
  /** Where it is kept from run to run. */
  readonly folder: string;
  readonly service: string;
  /** The same service is another workspace to another key. Only a hash of it is written. */
  readonly apiKey: string;
}

export interface JournalFile {
  readonly file: string;
  readonly fd: number;
  /** Where the lines begin. */
  readonly headBytes: number;
  readonly unlock: () => Promise<void>;
}

/** The file of this service and key, which nobody else writes meanwhile. The first one in a folder has the plain name. */
export async function openJournalFile({ folder, service, apiKey }: JournalOptions): Promise<JournalFile> {
  const account = hash("sha256", `${service}\n${apiKey}`, "hex").slice(0, 16);
  const head = Buffer.from(`${JSON.stringify({ format: "hearback-journal", version, service, account })}\n`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Looked at before it is locked: an import into another workspace may be running.
    const name = isAnothers(join(folder, "journal.jsonl"), head) ? `journal-${account}` : "journal";
    return await openLocked(join(folder, name), head);
  } catch (error) {
    throw error instanceof ImportStopped ? error : cannotWrite(folder, error, 2);
  }
}

/** 2: before anything was done. 4: in the middle. */
export const cannotWrite = (folder: string, error: unknown, exitCode: 2 | 4) =>
  new ImportStopped(
    `What was imported cannot be noted in the folder ${folder}: ${error instanceof Error ? error.message : error}. Make room there or give yourself the right to write there, or name another folder with --state; then run the command again.`,
    exitCode,
    { cause: error },
  );

async function openLocked(path: string, head: Buffer): Promise<JournalFile> {
  const unlock = await takeLock(`${path}.lock`);
  try {
    const file = `${path}.jsonl`;
    const fd = openFile(file);
    // Half of it: killed while it was made. Another: of another version, or made by another just now. It is a shortcut.
    if (beginningOf(fd, head.length).compare(head) !== 0) {
      ftruncateSync(fd, 0);
      writeSync(fd, head, 0, head.length, 0);
    }
    return { file, fd, headBytes: head.length, unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}

function isAnothers(file: string, head: Buffer): boolean {
  const fd = openFile(file);
  try {
    const found = beginningOf(fd, head.length);
    return found.compare(head.subarray(0, found.length)) !== 0;
  } finally {
    closeSync(fd);
  }
}

const openFile = (file: string) => openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);

function beginningOf(fd: number, bytes: number): Buffer {
  const found = Buffer.alloc(bytes);
  return found.subarray(0, readSync(fd, found, 0, bytes, 0));
}
