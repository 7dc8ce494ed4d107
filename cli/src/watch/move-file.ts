import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { copyFile, link, mkdir, open, realpath, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";

/**
 * Moves a file, also across file systems, without overwriting: if the name exists, a number is added. If the process is
 * killed, the file is at the source or at both places, and complete wherever it has its name. Returns the new path.
 */
export async function moveFile(from: string, to: string): Promise<string> {
  await mkdir(dirname(to), { recursive: true });
  for (let number = 1; ; number++) {
    const place = number === 1 ? to : numbered(to, number);
    if (await moveTo(from, place)) return place;
  }
}

const numbered = (path: string, number: number) =>
  join(dirname(path), `${basename(path, extname(path))} (${number})${extname(path)}`);

/** Errors of file systems without hard links, such as SMB and FAT. */
const noLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES"]);

/** Returns false if a different file with that name exists. */
async function moveTo(from: string, to: string): Promise<boolean> {
  try {
    // link fails if the name exists; rename would overwrite it.
    await link(from, to);
    await rm(from);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "EXDEV" && !noLinks.has(code)) throw error;
    const there = await stat(to).catch(() => undefined);
    if (there) return removeIfSame(from, to, there);
    if (code === "EXDEV") await copyAcross(from, to);
    else await rename(from, to);
    await rm(from, { force: true });
    return true;
  }
}

/** An interrupted move leaves the file at both places: completes it. */
async function removeIfSame(from: string, to: string, there: Stats): Promise<boolean> {
  // Both paths may name the same file, through a symbolic link.
  if ((await realpath(from)) === (await realpath(to))) return true;
  const here = await stat(from);
  const linked = here.ino === there.ino && here.dev === there.dev;
  if (!linked && (here.size !== there.size || (await digestOf(from)) !== (await digestOf(to)))) return false;
  await rm(from);
  return true;
}

async function copyAcross(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  const partial = join(dirname(to), `.${basename(to)}.part`);
  await copyFile(from, partial);
  await utimes(partial, atime, mtime);
  const file = await open(partial, "r+");
  await file.sync().finally(() => file.close());
  await rename(partial, to);
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(path), digest);
  return digest.digest("hex");
}
