import type { Dir, Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";

interface WalkOptions {
  /** Folders to exclude, relative to the root. */
  readonly except: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * Yields the relative path of every file below a folder, without keeping a list: a folder may hold a million files. Skips
 * dot files, and folders that disappear during the walk.
 */
export async function* walkFolder(root: string, { except, signal }: WalkOptions): AsyncGenerator<string> {
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await openFolder(join(root, folder), folder === "");
    if (!entries) continue;
    // Leaving the loop closes the directory handle.
    for await (const entry of entries) {
      if (signal.aborted) return;
      if (entry.name.startsWith(".")) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!except.has(path)) folders.push(path);
      } else if (isFile(entry)) yield path;
    }
  }
}

// Some network file systems report no entry type. The caller's stat decides.
const isFile = (entry: Dirent) => entry.isFile() || !(entry.isSymbolicLink() || entry.isFIFO() || entry.isSocket());

async function openFolder(path: string, isRoot: boolean): Promise<Dir | undefined> {
  try {
    return await opendir(path, { bufferSize: 256 });
  } catch (error) {
    if (isRoot || !isGone(error)) throw error;
    return undefined;
  }
}

const isGone = (error: unknown) => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
