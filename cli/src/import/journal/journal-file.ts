import { hash } from "node:crypto";
import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ImportStopped } from "../import-stopped.ts";
import { acquireLock } from "./journal-lock.ts";

const version = 1;

export interface JournalOptions {
  /** State folder of the import. */
  readonly folder: string;
  readonly service: string;
  /** Another key may belong to another workspace. Only a hash is stored. */
  readonly apiKey: string;
}

export interface JournalFile {
  readonly file: string;
  readonly fd: number;
  /** Offset of the first line. */
  readonly headBytes: number;
  readonly unlock: () => Promise<void>;
}

/** Opens and locks the journal of this service and key. The first one in a folder is named journal.jsonl. */
export async function openJournalFile({ folder, service, apiKey }: JournalOptions): Promise<JournalFile> {
  const account = hash("sha256", `${service}\n${apiKey}`, "hex").slice(0, 16);
  const head = Buffer.from(`${JSON.stringify({ format: "hearback-journal", version, service, account })}\n`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Check the owner before locking: an import into another workspace may be running.
    const name = belongsToOther(join(folder, "journal.jsonl"), head) ? `journal-${account}` : "journal";
    return await openLocked(join(folder, name), head);
  } catch (error) {
    throw error instanceof ImportStopped ? error : cannotWrite(folder, error, 2);
  }
}

/** Exit code 2: at the start. 4: during the import. */
export const cannotWrite = (folder: string, error: unknown, exitCode: 2 | 4) =>
  new ImportStopped(
    `Cannot write the import state to ${folder}: ${error instanceof Error ? error.message : error}. Free disk space, fix the permissions or use another folder with --state, then run the command again.`,
    exitCode,
    { cause: error },
  );

async function openLocked(path: string, head: Buffer): Promise<JournalFile> {
  const unlock = await acquireLock(`${path}.lock`);
  try {
    const file = `${path}.jsonl`;
    const fd = openFile(file);
    // Truncated by a kill, or written by another version: start over. The journal is only a cache.
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

function belongsToOther(file: string, head: Buffer): boolean {
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
