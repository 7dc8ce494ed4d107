import { rm, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Ready } from "./find-ready.ts";
import { type Failure, failedMark, importedMark, markFailed, markImported } from "./marks.ts";
import { moveFile } from "./move-file.ts";

/** What is done with a recording that the service has. */
export type Done = { readonly how: "mark" | "delete" | "leave" } | { readonly how: "move"; readonly folder: string };

interface Outcome {
  readonly id: string | null;
  readonly sha256: string;
}

/** The recording first: without its sidecar it could not be imported again, the other way round nothing is lost. */
const partsOf = ({ place, sidecar }: Ready) => (sidecar ? [place, sidecar.path] : [place]);

/** Does with a recording what is wanted when the service has it. */
export async function finish(ready: Ready, done: Done, outcome: Outcome, root: string): Promise<void> {
  if (done.how === "mark") await markImported(ready.place, ready, outcome, new Date());
  else if (done.how !== "leave") {
    // What the service has confirmed is what was read. A file that changed since is another recording.
    const now = await stat(ready.place);
    if (now.size !== ready.bytes || now.mtimeMs !== ready.modifiedMs) return;
    for (const part of partsOf(ready))
      if (done.how === "move") await moveFile(part, join(done.folder, relative(root, part)));
      else await rm(part, { force: true });
    await rm(importedMark(ready.place), { force: true });
  }
  await rm(failedMark(ready.place), { force: true });
}

/** Says why a recording was not imported: beside it, or where those that failed are put. */
export async function setAside(
  ready: Ready,
  folder: string | undefined,
  failure: Failure,
  root: string,
): Promise<void> {
  if (folder === undefined) return markFailed(ready.place, ready, failure, new Date());
  const [recording = ready.place, sidecar] = partsOf(ready);
  const moved = await moveFile(recording, join(folder, relative(root, recording)));
  await markFailed(moved, ready, failure, new Date());
  if (sidecar) await moveFile(sidecar, join(moved, "..", basename(sidecar)));
  await rm(failedMark(ready.place), { force: true });
}
