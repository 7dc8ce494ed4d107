import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, opendir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { checkStorage } from "./check-storage.ts";
import { type ByteRange, heldBytes, ObjectMissing, type Storage, type Upload } from "./types.ts";

const missing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Opens a new file, making its folders where they are missing, each durable in the one above it. */
async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx");
  } catch (error) {
    if (!missing(error)) throw error;
  }
  const made = await mkdir(dirname(path), { recursive: true });
  if (made) {
    for (let folder = dirname(path); folder.length >= made.length; folder = dirname(folder))
      await syncFolder(dirname(folder));
  }
  return open(path, "wx");
}

/** Recordings as files below one folder. A file counts only once a call claims its key, so it is written in place. */
export function openFilesystem(root: string): Storage {
  const pathOf = (key: string) => join(root, key);

  function create(key: string): Upload {
    const path = pathOf(key);
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
        // A file that is being made must not appear after it was removed.
        await writing?.catch(() => {});
        await file?.close();
        file = undefined;
      },
    };
  }

  async function get(key: string, range?: ByteRange) {
    const file = await open(pathOf(key), "r").catch((error) => {
      throw missing(error) ? new ObjectMissing(key) : error;
    });
    return createReadStream("", { fd: file, highWaterMark: 256 * 1024, ...range });
  }

  const storage: Storage = {
    create,
    get,
    delete: (key) => rm(pathOf(key), { force: true }),
    async deleteWhole(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    async *list(prefix) {
      const folder = await opendir(pathOf(prefix), { recursive: true }).catch((error) => {
        if (!missing(error)) throw error;
      });
      if (!folder) return;
      for await (const entry of folder) if (entry.isFile()) yield relative(root, join(entry.parentPath, entry.name));
    },
    async check() {
      await mkdir(root, { recursive: true });
      await checkStorage(storage);
    },
    close() {},
  };
  return storage;
}

async function writeAll(file: FileHandle, chunks: Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  // A full disk may take a part and only then refuse: writing the rest brings out its error.
  if (bytesWritten < total) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
}
