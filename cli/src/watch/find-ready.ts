import { stat } from "node:fs/promises";
import { isRecordingName } from "../manifest/recording-name.ts";
import type { DecidedFiles } from "./decided.ts";
import { type Decided, isMark } from "./marks.ts";
import type { Settling } from "./settling.ts";
import { findSidecar, type Sidecar, sidecarPath } from "./sidecar.ts";
import { walkFolder } from "./walk-folder.ts";
import { headerAgrees } from "./wav-header.ts";

/** A recording that is complete. */
export interface Ready extends Decided {
  /** Below the folder, with "/". */
  readonly path: string;
  /** Absolute. */
  readonly place: string;
  readonly sidecar: Sidecar | undefined;
}

/** What was found on the way through the folder. */
export interface Pass {
  waiting: number;
  failed: number;
  /** false: there was no room to remember all that wait, or it was stopped. */
  complete: boolean;
  /** Why the folder could not be gone through. */
  trouble: string | undefined;
}

export interface FindOptions {
  readonly root: string;
  readonly except: ReadonlySet<string>;
  readonly settleMs: number;
  /** The name of the sidecar; undefined: there is none. */
  readonly sidecar: string | undefined;
  readonly settling: Settling;
  readonly decided: DecidedFiles;
  readonly signal: AbortSignal;
}

const patience = 5;

/** Goes through a folder once and yields the recordings that are complete and not decided yet. */
export async function* findReady(options: FindOptions, pass: Pass): AsyncGenerator<Ready> {
  const { root, except, settling, decided, signal } = options;
  const seen = new Set<string>();
  for await (const path of walkFolder(root, { except, signal })) {
    if (!isRecordingName(path) || isMark(path) || decided.isDone(path)) continue;
    if (settling.isFull && !settling.has(path)) {
      pass.complete = false;
      continue;
    }
    const found = await look(path, options, pass);
    if (settling.has(path)) seen.add(path);
    if (found) yield found;
  }
  if (signal.aborted) pass.complete = false;
  // What went away needs no place any more.
  else for (const path of settling.paths()) if (!seen.has(path)) settling.forget(path);
}

async function look(path: string, options: FindOptions, pass: Pass): Promise<Ready | undefined> {
  const { root, settling, settleMs, decided } = options;
  const place = `${root}/${path}`;
  const found = await stat(place).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const sidecar = options.sidecar === undefined ? undefined : await findSidecar(sidecarPath(options.sidecar, place));
  const looks = { bytes: found.size, modifiedMs: found.mtimeMs, sidecarMs: sidecar?.modifiedMs ?? 0 };
  const known = await decided.find(path, looks);
  if (known) {
    settling.forget(path);
    if (known === "failed") pass.failed++;
    return undefined;
  }
  if (options.sidecar !== undefined && !sidecar) {
    // It may never come. So it takes no place from those that are complete soon.
    settling.forget(path);
    pass.waiting++;
    return undefined;
  }
  const nowMs = Date.now();
  // The sidecar counts as a part of the recording: one that is still being written holds it up.
  const appearance = { bytes: found.size + (sidecar?.bytes ?? 0), modifiedMs: found.mtimeMs + looks.sidecarMs };
  const unchangedMs = settling.unchangedMs(path, appearance, nowMs);
  if (unchangedMs === undefined) {
    pass.complete = false;
    return undefined;
  }
  const isOld = Math.max(unchangedMs, nowMs - found.mtimeMs) >= patience * settleMs;
  const complete =
    settling.isSettled(unchangedMs) &&
    (isOld || (found.size > 0 && (await headerAgrees(place, found.size).catch(() => false))));
  if (complete) return { path, place, sidecar, ...looks };
  pass.waiting++;
  return undefined;
}
