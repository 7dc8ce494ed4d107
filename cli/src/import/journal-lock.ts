import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { ImportStopped } from "./import-stopped.ts";

/** Which process it is, and when it began where that can be known: numbers are given again. */
async function nameOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name of the program may hold spaces and brackets; what is wanted is the 20th word after it.
  return `${pid} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""}`.trim();
}

async function isAlive(holder: string): Promise<boolean> {
  const pid = Number.parseInt(holder, 10);
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is alive, too.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const name = await nameOf(pid);
  const known = name.includes(" ") && holder.includes(" ");
  return !known || name === holder;
}

/** Empty for a moment while it is made, and for good if its maker died just then. */
async function holderOf(file: string): Promise<string> {
  const read = () => readFile(file, "utf8").catch(() => "");
  const holder = await read();
  if (holder !== "") return holder;
  await setTimeout(200);
  return read();
}

/** Makes sure that one process writes at a time. What a process that died has left behind is taken over. */
export async function takeLock(file: string): Promise<() => Promise<void>> {
  const mine = await nameOf(process.pid);
  for (;;) {
    try {
      await writeFile(file, mine, { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = await holderOf(file);
    if (await isAlive(holder)) throw isLocked(file, holder);
    // Two may find the same dead holder: only one of them gets to move its lock away.
    const aside = `${file}.${process.pid}`;
    const moved = await rename(file, aside).then(
      () => readFile(aside, "utf8"),
      () => holder,
    );
    if (moved !== holder) {
      await rename(aside, file);
      throw isLocked(file, moved);
    }
    await rm(aside, { force: true });
  }
}

const isLocked = (file: string, holder: string) =>
  new ImportStopped(
    `Another import is running (process ${Number.parseInt(holder, 10)}). Wait until it is done; if it is none, delete ${file}.`,
    2,
  );
