import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { isRecordingName } from "./recording-name.ts";

export interface WalkOptions {
  readonly signal?: AbortSignal | undefined;
  /** A folder that cannot be listed; the others are. */
  readonly onUnreadable: (folder: string, code: string) => void;
}

/** All recordings below a folder, at any depth, some at a time. Hidden ones are left out, and folders of this command's own. */
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
      // Links are files here: whoever follows a link to a folder may walk forever.
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
