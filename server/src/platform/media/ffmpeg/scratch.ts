import { randomUUID } from "node:crypto";
import { chmod, chown, lstat, mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { getuid, kill, pid } from "node:process";
import { ConfigError } from "../../config.ts";
import { hasErrorCode } from "../../error-code.ts";
import { findSandbox, type Sandbox, type SandboxChoice } from "./sandbox.ts";

/** Temporary folders for media processing. */
export interface Scratch {
  readonly sandbox: Sandbox;
  /** Runs `work` with a new folder and deletes the folder afterwards. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const touchMs = 60_000;
/** A folder of another machine counts as abandoned after this time without a touch. */
const abandonedMs = 60 * 60_000;

/**
 * Creates a folder for this process under `root`, which several workers may share, and deletes the folders of workers
 * that crashed.
 */
export async function openScratch(root: string, choice: SandboxChoice): Promise<Scratch> {
  // 0711: a tool that runs as nobody can traverse the folder but not list it.
  await mkdir(root, { recursive: true, mode: 0o711 });
  const found = await lstat(root);
  if (!found.isDirectory() || (getuid && found.uid !== getuid())) {
    throw new ConfigError(
      `SCRATCH_DIR ${root} is not a folder owned by this user. Set it to a folder that this user owns, or to one that does not exist yet.`,
    );
  }
  await removeAbandoned(root);
  const own = join(root, `worker-${hostname()}-${pid}-${randomUUID().slice(0, 8)}`);
  await mkdir(own);
  await chmod(own, 0o711);
  const sandbox = await findSandbox(own, choice).catch(async (error) => {
    await rm(own, { recursive: true, force: true });
    throw error;
  });
  const touching = setInterval(() => {
    utimes(own, new Date(), new Date()).catch(() => {});
    removeAbandoned(root).catch(() => {});
  }, touchMs).unref();
  return {
    sandbox,
    async withFolder(work) {
      const folder = join(own, randomUUID());
      await mkdir(folder, { mode: 0o700, recursive: true });
      try {
        if (sandbox.owner !== undefined) await chown(folder, sandbox.owner, sandbox.owner);
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
    // Also check folders with our own process id: they belong to an earlier process, or to a container with the same
    // host name, which touches its folder.
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
    return hasErrorCode(error, "EPERM");
  }
}
