import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, opendir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { hasErrorCode } from "../error-code.ts";
import { checkStorage } from "./check-storage.ts";
import { type ByteRange, heldBytes, ObjectMissing, type Storage, type Upload } from "./types.ts";

const missing = (error: unknown) => hasErrorCode(error, "ENOENT");

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Recordings are personal data: other accounts on the machine must not read or list them, regardless of the umask. */
const fileMode = 0o600;
const folderMode = 0o700;

/** Creates a file and its missing folders. Syncs each parent folder, so that the new folders are durable. */
async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", fileMode);
  } catch (error) {
    if (!missing(error)) throw error;
  }
  const made = await mkdir(dirname(path), { recursive: true, mode: folderMode });
  if (made) {
    for (let folder = dirname(path); folder.length >= made.length; folder = dirname(folder))
      await syncFolder(dirname(folder));
  }
  return open(path, "wx", fileMode);
}

/**
 * Stores recordings as files in a folder. Files are written in place, because a file has no effect until a call
 * references its key.
 */
export function openFilesystem(root: string): Storage {
  const pathOf = (key: string) => join(root, key);

  async function get(key: string, range?: ByteRange) {
    const file = await open(pathOf(key), "r").catch((error) => {
      throw missing(error) ? new ObjectMissing(key) : error;
    });
    // Smaller chunks for range reads: a client that does not read holds one of them in memory.
    return createReadStream("", { fd: file, highWaterMark: range ? 64 * 1024 : 256 * 1024, ...range });
  }

  const storage: Storage = {
    create: (key) => createUpload(pathOf(key)),
    get,
    async size(key) {
      const found = await stat(pathOf(key)).catch((error) => {
        if (!missing(error)) throw error;
      });
      return found?.size;
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async deleteWhole(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    async *list(prefix, after = "") {
      const folder = await opendir(pathOf(prefix), { recursive: true }).catch((error) => {
        if (!missing(error)) throw error;
      });
      if (!folder) return;
      for await (const entry of folder) {
        const key = relative(root, join(entry.parentPath, entry.name));
        if (entry.isFile() && key > after) yield key;
      }
    },
    async *listFolders(prefix) {
      const entries = await readdir(pathOf(prefix), { withFileTypes: true }).catch((error) => {
        if (!missing(error)) throw error;
      });
      for (const entry of entries ?? []) if (entry.isDirectory()) yield `${prefix}${entry.name}/`;
    },
    async check() {
      await mkdir(root, { recursive: true, mode: folderMode });
      await checkStorage(storage);
    },
    close() {},
  };
  return storage;
}

function createUpload(path: string): Upload {
  let file: FileHandle | undefined;
  let batch: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    const chunks = batch;
    batch = [];
    bytes = 0;
    file ??= await createFile(path);
    if (chunks.length > 0) await writeAll(file, chunks);
  }

  return {
    write(chunk) {
      batch.push(chunk);
      bytes += chunk.length;
      if (bytes < heldBytes) return undefined;
      writing = flush();
      return writing;
    },
    async finish() {
      await flush();
      await file?.sync();
      await file?.close();
      file = undefined;
      await syncFolder(dirname(path));
    },
    async abort() {
      batch = [];
      // Wait for the pending write, so that the file does not reappear after it is deleted.
      await writing?.catch(() => {});
      if (!file) return;
      await file.close();
      file = undefined;
      // Unfinished, so no call can have it. Otherwise one recording that does not fit would fill the disk until the next sweep.
      await rm(path, { force: true });
    },
  };
}

async function writeAll(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  // A full disk may accept part of the data. Writing the rest triggers the error.
  if (bytesWritten < total) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
}
