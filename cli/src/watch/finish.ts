import { rm, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { ReadyRecording } from "./find-ready.ts";
import { type Failure, failedMark, importedMark, markFailed, markImported } from "./marks.ts";
import { moveFile } from "./move-file.ts";

/** How an imported recording is treated: marked, moved, deleted or left as it is. */
export type Done = { readonly how: "mark" | "delete" | "leave" } | { readonly how: "move"; readonly folder: string };

interface Outcome {
  readonly id: string | null;
  readonly sha256: string;
}

/** The recording first: if the process dies in between, a sidecar alone is harmless; a recording alone could not be imported. */
const partsOf = ({ absolutePath, sidecar }: ReadyRecording) =>
  sidecar ? [absolutePath, sidecar.path] : [absolutePath];

/** Marks, moves or deletes an imported recording. */
export async function finishImported(ready: ReadyRecording, done: Done, outcome: Outcome, root: string): Promise<void> {
  if (done.how === "mark") await markImported(ready.absolutePath, ready, outcome, new Date());
  else if (done.how !== "leave") {
    // A file that changed since it was read is a different recording.
    const now = await stat(ready.absolutePath);
    if (now.size !== ready.bytes || now.mtimeMs !== ready.modifiedMs) return;
    for (const part of partsOf(ready))
      if (done.how === "move") await moveFile(part, join(done.folder, relative(root, part)));
      else await rm(part, { force: true });
    await rm(importedMark(ready.absolutePath), { force: true });
  }
  await rm(failedMark(ready.absolutePath), { force: true });
}

/** Writes the failure marker next to the recording, or moves both to the failed folder. */
export async function finishFailed(
  ready: ReadyRecording,
  folder: string | undefined,
  failure: Failure,
  root: string,
): Promise<void> {
  if (folder === undefined) return markFailed(ready.absolutePath, ready, failure, new Date());
  const [recording = ready.absolutePath, sidecar] = partsOf(ready);
  const moved = await moveFile(recording, join(folder, relative(root, recording)));
  await markFailed(moved, ready, failure, new Date());
  if (sidecar) await moveFile(sidecar, join(moved, "..", basename(sidecar)));
  await rm(failedMark(ready.absolutePath), { force: true });
}
