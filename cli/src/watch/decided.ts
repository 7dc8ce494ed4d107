import { hash } from "node:crypto";
import { openIndex } from "../import/journal-index.ts";
import { type Decided, failedMark, importedMark, looksTheSame, readMark } from "./marks.ts";

const keyOf = (path: string) => hash("sha1", path, "hex").slice(0, 16);

/**
 * Which recordings of a folder need nothing more. Those that are done are remembered in some bytes each, so that a folder
 * in which a million of them stay is gone through without touching any; the marks beside them are what counts.
 */
export function openDecided(root: string) {
  let done = openIndex();
  return {
    isDone: (path: string) => done.find(keyOf(path)) !== undefined,
    noteDone: (path: string) => done.set(keyOf(path), 1),
    /** What the marks say of a recording that looks like this. */
    async find(path: string, now: Decided): Promise<"done" | "failed" | undefined> {
      const imported = await readMark(importedMark(`${root}/${path}`));
      if (imported && looksTheSame(imported, now)) {
        done.set(keyOf(path), 1);
        return "done";
      }
      const failed = await readMark(failedMark(`${root}/${path}`));
      return failed && looksTheSame(failed, now) ? "failed" : undefined;
    },
    /** From now on marks are looked at again: a recording may have been replaced. */
    forgetAll() {
      done = openIndex();
    },
  };
}
export type DecidedFiles = ReturnType<typeof openDecided>;
