import { hash } from "node:crypto";
import { openIndex } from "../import/journal/journal-index.ts";
import { failedMark, importedMark, isSameState, type RecordingState, readMark } from "./marks.ts";

const keyOf = (path: string) => hash("sha1", path, "hex").slice(0, 16);

/**
 * Knows which recordings are already processed. Caches them in memory (a few bytes each), so that scanning a folder with a
 * million imported recordings reads no files. The markers next to the recordings are the source of truth.
 */
export function openProcessedFiles(root: string) {
  let done = openIndex();
  return {
    isDone: (path: string) => done.find(keyOf(path)) !== undefined,
    markDone: (path: string) => done.set(keyOf(path), 1),
    /** Reads the markers of a recording with this size and time. */
    async find(path: string, now: RecordingState): Promise<"done" | "failed" | undefined> {
      const imported = await readMark(importedMark(`${root}/${path}`));
      if (imported && isSameState(imported, now)) {
        done.set(keyOf(path), 1);
        return "done";
      }
      const failed = await readMark(failedMark(`${root}/${path}`));
      return failed && isSameState(failed, now) ? "failed" : undefined;
    },
    /** Clears the cache, so that the markers are read again: a recording may have been replaced. */
    forgetAll() {
      done = openIndex();
    },
  };
}
export type ProcessedFiles = ReturnType<typeof openProcessedFiles>;
