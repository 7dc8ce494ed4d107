import { execFile } from "node:child_process";
import { appendFile, chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

function ignoreFull(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOSPC") throw error;
}

/** A small file system in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it except for this many bytes. */
  fill(exceptBytes: number): Promise<void>;
  /** Frees what `fill` has taken. */
  free(): Promise<void>;
  remove(): Promise<void>;
}

/** Mounts it. Needs the right to mount: tests that run as root have it. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  // Other accounts must reach it: the media tools run as nobody, PostgreSQL as postgres.
  const folder = await mkdtemp("/var/tmp/hearback-small-");
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "hearback-e2e", folder]).catch(
    async (error: Error) => {
      await rm(folder, { recursive: true });
      throw new Error(`cannot mount a small file system, run the tests as root: ${error.message}`);
    },
  );
  await chmod(folder, 0o755);
  const filler = join(folder, "filler");
  return {
    folder,
    async fill(exceptBytes) {
      const { bavail, bsize } = await statfs(folder);
      // Others may take the space meanwhile.
      await appendFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - exceptBytes))).catch(ignoreFull);
    },
    free: () => rm(filler, { force: true }),
    async remove() {
      await run("umount", [folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
