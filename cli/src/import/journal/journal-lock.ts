import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { ImportStopped } from "../import-stopped.ts";

/** Process id, and its start time where /proc exists: pids are reused. */
async function identify(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The program name may contain spaces and parentheses. The start time is the 20th field after it.
  return `${pid} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""}`.trim();
}

async function isAlive(holder: string): Promise<boolean> {
  const pid = Number.parseInt(holder, 10);
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const name = await identify(pid);
  const known = name.includes(" ") && holder.includes(" ");
  return !known || name === holder;
}

/** Reads the lock file. It is briefly empty while being created, or permanently if its creator died. */
async function holderOf(file: string): Promise<string> {
  const read = () => readFile(file, "utf8").catch(() => "");
  const holder = await read();
  if (holder !== "") return holder;
  await setTimeout(200);
  return read();
}

/** Acquires a lock file. Takes over the lock of a dead process. */
export async function acquireLock(file: string): Promise<() => Promise<void>> {
  const ownIdentity = await identify(process.pid);
  for (;;) {
    try {
      await writeFile(file, ownIdentity, { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = await holderOf(file);
    if (await isAlive(holder)) throw lockedError(file, holder);
    // Two processes may find the same dead holder. Only one can rename its lock file.
    const aside = `${file}.${process.pid}`;
    const moved = await rename(file, aside).then(
      () => readFile(aside, "utf8"),
      () => holder,
    );
    if (moved !== holder) {
      await rename(aside, file);
      throw lockedError(file, moved);
    }
    await rm(aside, { force: true });
  }
}

const lockedError = (file: string, holder: string) =>
  new ImportStopped(
    `Another import is running (process ${Number.parseInt(holder, 10)}). Wait until it ends. If that process is not an import, delete ${file}.`,
    2,
  );
