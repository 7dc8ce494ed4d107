import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { atOnce, type FileAccess, inThreads } from "./file-access.ts";
import { type Defect, quote } from "./finding-codes.ts";
import { audioProblem } from "./recognise-audio.ts";
import { openSimilarNames } from "./similar-name.ts";

export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface FileInspector {
  /** Looks at files below the folder of recordings, at many at a time; the answers are in the order of the names. */
  inspect(files: readonly string[]): Promise<(FoundFile | Defect)[]>;
}

interface InspectOptions {
  /** The folder of recordings, absolute. */
  readonly root: string;
  readonly maxBytes: number;
}

/** A disk that takes longer for a file, several times in a row, is asked through threads. */
const slowMs = 1;
const slowBatches = 3;
const mostFolders = 10_000;

export async function openFileInspector({ root, maxBytes }: InspectOptions): Promise<FileInspector> {
  const realRoot = await realpath(root);
  const similar = openSimilarNames(root);
  /** Whether a folder really is below the root, and not elsewhere by a link. */
  const folders = new Map<string, boolean>();
  let access = atOnce;
  let slow = 0;

  const isInside = (path: string) =>
    path === realRoot || path.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);

  async function folderIsInside(folder: string): Promise<boolean> {
    const inside = isInside(await realpath(folder));
    if (folders.size >= mostFolders) folders.clear();
    folders.set(folder, inside);
    return inside;
  }

  async function inspectOne(file: string): Promise<FoundFile | Defect> {
    const path = join(root, file);
    try {
      const folder = dirname(path);
      if (!(folders.get(folder) ?? (await folderIsInside(folder)))) return outside(file);
      let stats = await access.lstat(path);
      if (stats.isSymbolicLink()) {
        if (!isInside(await realpath(path))) return outside(file);
        stats = await stat(path);
      }
      const wrong = wrongKind(file, stats, maxBytes) ?? (await contentProblem(access, path, file, stats.size));
      return wrong ?? { path, bytes: stats.size, modifiedMs: stats.mtimeMs };
    } catch (error) {
      return explain(error as NodeJS.ErrnoException, file);
    }
  }

  async function explain({ code }: NodeJS.ErrnoException, file: string): Promise<Defect> {
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ENAMETOOLONG") return unreadable(file, code ?? "");
    const other = code === "ENOENT" ? await similar(file) : undefined;
    return other === undefined || other === file ? missing(file, root) : differs(file, other);
  }

  return {
    async inspect(files) {
      const start = performance.now();
      const found = await Promise.all(files.map(inspectOne));
      slow = performance.now() - start > slowMs * Math.max(files.length, 16) ? slow + 1 : 0;
      if (slow >= slowBatches) access = inThreads;
      return found;
    },
  };
}

async function contentProblem(
  access: FileAccess,
  path: string,
  name: string,
  bytes: number,
): Promise<Defect | undefined> {
  const file = await access.open(path);
  try {
    return await audioProblem(access, { file, bytes, name });
  } finally {
    await access.close(file);
  }
}

function wrongKind(file: string, stats: Stats, maxBytes: number): Defect | undefined {
  if (stats.isDirectory())
    return { code: "file_is_folder", detail: `${quote(file)} is a folder.`, fix: "Name the recording in it." };
  if (!stats.isFile())
    return {
      code: "file_special",
      detail: `${quote(file)} is neither a file nor a folder (a pipe, a socket or a device).`,
      fix: "Name a recording.",
    };
  if (stats.size === 0)
    return {
      code: "file_empty",
      detail: `The file ${quote(file)} is empty.`,
      fix: "Copy it again from the telephone system; if it is empty there, nothing was recorded: remove the row.",
    };
  if (stats.size > maxBytes)
    return {
      code: "file_too_large",
      detail: `The file ${quote(file)} has ${stats.size} bytes; the service takes ${maxBytes}.`,
      fix: "Compress it (for example to MP3 or Opus), or have the limit of the service raised.",
    };
  return undefined;
}

const outside = (file: string): Defect => ({
  code: "file_outside",
  detail: `The file ${quote(file)} is outside of the folder of recordings.`,
  fix: "Put the recording into the folder, or state the folder that holds all of them with --recordings.",
});

const unreadable = (file: string, code: string): Defect => ({
  code: "file_unreadable",
  detail: `The file ${quote(file)} cannot be read (${code}).`,
  fix:
    code === "ELOOP"
      ? "It is a link to itself: copy the recording there."
      : "Give this user the right to read it (chmod, chown), or check the disk.",
});

const missing = (file: string, root: string): Defect => ({
  code: "file_missing",
  detail: `There is no file ${quote(file)} in ${root}.`,
  fix: "Copy it there, correct the name, or state another folder with --recordings.",
});

const differs = (file: string, other: string): Defect => ({
  code: "file_name_differs",
  detail: `There is no file ${quote(file)}. Did you mean ${quote(other)}?`,
  fix: "Write the name as it is on the disk; for all rows, a template can do it, such as --map 'file={COLUMN}.wav'.",
});
