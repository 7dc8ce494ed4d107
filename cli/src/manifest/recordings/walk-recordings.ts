import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { isRecordingName } from "./recording-name.ts";

export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called for a folder that cannot be listed. The walk continues. */
  readonly onUnreadable: (folder: string, code: string) => void;
}

/** Yields all recordings below a folder in batches. Skips hidden files and state folders (.hearback). */
export async function* walkRecordings(root: string, { signal, onUnreadable }: WalkOptions): AsyncGenerator<string[]> {
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let files: string[] = [];
    const below: string[] = [];
    const opened = await opendir(join(root, folder), { bufferSize: 256 }).catch((error: NodeJS.ErrnoException) => {
      onUnreadable(folder, error.code ?? "");
    });
    for await (const entry of opened ?? []) {
      const { name } = entry;
      if (name.startsWith(".") || name === "lost+found") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      // Do not follow links to folders: they may be circular.
      if (entry.isDirectory()) {
        if (!name.endsWith(".hearback")) below.push(path);
      } else if (isRecordingName(name)) files.push(path);
      if (files.length < 256) continue;
      signal?.throwIfAborted();
      yield files;
      files = [];
    }
    yield files;
    folders.push(...below.reverse());
  }
}
