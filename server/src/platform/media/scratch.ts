import { randomUUID } from "node:crypto";
import { chmod, chown, lstat, mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { getuid, kill, pid } from "node:process";
import { ConfigError } from "../config.ts";
import { type Confinement, findConfinement } from "./confinement.ts";

/** Where recordings are unpacked for a moment. */
export interface Scratch {
  readonly confinement: Confinement;
  /** Gives `work` a folder of its own, and leaves nothing of it behind. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const touchMs = 60_000;
/** A folder of another machine that nobody touched for so long belongs to nobody. */
const abandonedMs = 60 * 60_000;

/**
 * Opens a folder of this process's own under `root`, which several workers may share, and removes what workers have left
 * there that died.
 */
export async function openScratch(root: string): Promise<Scratch> {
  // A tool that runs as nobody passes through it and cannot look around.
  await mkdir(root, { recursive: true, mode: 0o711 });
  const found = await lstat(root);
  if (!found.isDirectory() || (getuid && found.uid !== getuid())) {
    throw new ConfigError(
      `SCRATCH_DIR ${root} is not a folder of this user's. Name one that is, or that is not there yet.`,
    );
  }
  await removeAbandoned(root);
  const own = join(root, `worker-${hostname()}-${pid}-${randomUUID().slice(0, 8)}`);
  await mkdir(own);
  await chmod(own, 0o711);
  const confinement = await findConfinement(own);
  const touching = setInterval(() => {
    utimes(own, new Date(), new Date()).catch(() => {});
    removeAbandoned(root).catch(() => {});
  }, touchMs).unref();
  return {
    confinement,
    async withFolder(work) {
      const folder = join(own, randomUUID());
      await mkdir(folder, { mode: 0o700, recursive: true });
      try {
        if (confinement.owner !== undefined) await chown(folder, confinement.owner, confinement.owner);
        return await work(folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async close() {
      clearInterval(touching);
      await rm(own, { recursive: true, force: true });
    },
  };
}

async function removeAbandoned(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const owner = /^worker-(.+)-(\d+)-[0-9a-f]{8}$/.exec(name);
    if (!owner) continue;
    const folder = join(root, name);
    const here = owner[1] === hostname();
    const seen = await stat(folder).catch(() => undefined);
    const untouchedMs = seen ? Date.now() - seen.mtimeMs : 0;
    // Our own number, too: whoever had it before us is gone, or lives in another container of the same name and touches it.
    const number = Number(owner[2]);
    const dead = here && (number === pid ? untouchedMs > 3 * touchMs : !isRunning(number));
    if (dead || untouchedMs > abandonedMs) await rm(folder, { recursive: true, force: true });
  }
}

function isRunning(process: number): boolean {
  try {
    kill(process, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
