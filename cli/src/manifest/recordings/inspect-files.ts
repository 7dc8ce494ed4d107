import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { formatLimit, formatNumber } from "../../terminal/units.ts";
import { type Defect, quote } from "../finding-codes.ts";
import { openSimilarNames } from "../similar-name.ts";
import { asyncAccess, type FileAccess, syncAccess } from "./file-access.ts";
import { audioProblem } from "./recognise-audio.ts";

export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface FileInspector {
  /** Checks files below the recordings folder concurrently. Results are in the order of `files`. */
  inspect(files: readonly string[]): Promise<(FoundFile | Defect)[]>;
}

interface InspectOptions {
  /** Absolute path of the recordings folder. */
  readonly root: string;
  readonly maxBytes: number;
}

/** After `slowBatches` batches above this time per file, switch to asynchronous access. */
const slowMs = 1;
const slowBatches = 3;
const maxFolders = 10_000;

export async function openFileInspector({ root, maxBytes }: InspectOptions): Promise<FileInspector> {
  const realRoot = await realpath(root);
  const similar = openSimilarNames(root);
  /** Cache: whether a folder is below the root after resolving links. */
  const folders = new Map<string, boolean>();
  let access = syncAccess;
  let slow = 0;

  const isInside = (path: string) =>
    path === realRoot || path.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);

  async function folderIsInside(folder: string): Promise<boolean> {
    const inside = isInside(await realpath(folder));
    if (folders.size >= maxFolders) folders.clear();
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
      if (slow >= slowBatches) access = asyncAccess;
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
    return { code: "file_is_folder", detail: `${quote(file)} is a folder.`, fix: "Use the recording in it." };
  if (!stats.isFile())
    return {
      code: "file_special",
      detail: `${quote(file)} is not a regular file (a pipe, a socket or a device).`,
      fix: "Use a recording.",
    };
  if (stats.size === 0)
    return {
      code: "file_empty",
      detail: `The file ${quote(file)} is empty.`,
      fix: "Copy it again from the phone system. If it is empty there, nothing was recorded: remove the row.",
    };
  if (stats.size > maxBytes)
    return {
      code: "file_too_large",
      detail: `The file ${quote(file)} has ${formatNumber(stats.size)} bytes; the service accepts up to ${formatNumber(maxBytes)} (${formatLimit(maxBytes)}).`,
      fix: "Compress it (for example to MP3 or Opus), or ask the server operator to raise the limit.",
    };
  return undefined;
}

const outside = (file: string): Defect => ({
  code: "file_outside",
  detail: `The file ${quote(file)} is outside the recordings folder.`,
  fix: "Move the recording to the folder, or pass the folder that contains all recordings with --recordings.",
});

const unreadable = (file: string, code: string): Defect => ({
  code: "file_unreadable",
  detail: `Cannot read the file ${quote(file)} (${code}).`,
  fix:
    code === "ELOOP"
      ? "It is a link to itself. Replace it with the recording."
      : "Give this user read permission (chmod, chown), or check the disk.",
});

const missing = (file: string, root: string): Defect => ({
  code: "file_missing",
  detail: `No such file: ${quote(file)} in ${root}.`,
  fix: "Copy it there, correct the name, or use another folder with --recordings.",
});

const differs = (file: string, other: string): Defect => ({
  code: "file_name_differs",
  detail: `No such file: ${quote(file)}. Did you mean ${quote(other)}?`,
  fix: "Use the name as it is on disk. To fix all rows, use a template, such as --map 'file={COLUMN}.wav'.",
});
