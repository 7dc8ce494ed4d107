import { open } from "node:fs/promises";
import { join } from "node:path";

/** Writes bodies to new files, syncing file and folder. One write was faster than a stream pipeline or writeFile. */
export async function openFileStore(dir: string): Promise<(chunks: readonly Uint8Array[]) => Promise<void>> {
  const folder = await open(dir, "r");
  let files = 0;
  return async (chunks) => {
    const file = await open(join(dir, `${process.pid}-${files++}`), "wx");
    await file.writev(chunks as Uint8Array[]);
    await file.sync();
    await file.close();
    await folder.sync();
  };
}
