import { stat } from "node:fs/promises";
import { isRecordingName } from "../manifest/recordings/recording-name.ts";
import { isMark, type RecordingState } from "./marks.ts";
import type { ProcessedFiles } from "./processed-files.ts";
import type { Settling } from "./settling.ts";
import { findSidecar, type Sidecar, sidecarPath } from "./sidecar.ts";
import { walkFolder } from "./walk-folder.ts";
import { headerAgrees } from "./wav-header.ts";

/** A recording that is complete. */
export interface ReadyRecording extends RecordingState {
  /** Relative to the watched folder, with "/". */
  readonly path: string;
  /** Absolute path. */
  readonly absolutePath: string;
  readonly sidecar: Sidecar | undefined;
}

/** Counters of one scan. */
export interface Pass {
  waiting: number;
  failed: number;
  /** false: too many recordings to track, or the scan was stopped. */
  complete: boolean;
  /** Why the folder could not be scanned. */
  problem: string | undefined;
}

export interface FindOptions {
  readonly root: string;
  readonly except: ReadonlySet<string>;
  readonly settleMs: number;
  /** Template of the sidecar's name; undefined if there are no sidecars. */
  readonly sidecar: string | undefined;
  readonly settling: Settling;
  readonly processed: ProcessedFiles;
  readonly signal: AbortSignal;
}

/** After this many settle periods, a WAV with a wrong header length counts as complete. */
const maxSettlePeriods = 5;

/** Scans the folder once and yields complete, unprocessed recordings. */
export async function* findReady(options: FindOptions, pass: Pass): AsyncGenerator<ReadyRecording> {
  const { root, except, settling, processed, signal } = options;
  const seen = new Set<string>();
  for await (const path of walkFolder(root, { except, signal })) {
    if (!isRecordingName(path) || isMark(path) || processed.isDone(path)) continue;
    if (settling.isFull && !settling.has(path)) {
      pass.complete = false;
      continue;
    }
    const found = await inspect(path, options, pass);
    if (settling.has(path)) seen.add(path);
    if (found) yield found;
  }
  if (signal.aborted) pass.complete = false;
  // Stop tracking recordings that are gone.
  else for (const path of settling.paths()) if (!seen.has(path)) settling.forget(path);
}

async function inspect(path: string, options: FindOptions, pass: Pass): Promise<ReadyRecording | undefined> {
  const { root, settling, settleMs, processed } = options;
  const absolutePath = `${root}/${path}`;
  const found = await stat(absolutePath).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const sidecar =
    options.sidecar === undefined ? undefined : await findSidecar(sidecarPath(options.sidecar, absolutePath));
  const state = { bytes: found.size, modifiedMs: found.mtimeMs, sidecarMs: sidecar?.modifiedMs ?? 0 };
  const known = await processed.find(path, state);
  if (known) {
    settling.forget(path);
    if (known === "failed") pass.failed++;
    return undefined;
  }
  if (options.sidecar !== undefined && !sidecar) {
    // The sidecar may never appear: do not let the recording take up a tracking slot.
    settling.forget(path);
    pass.waiting++;
    return undefined;
  }
  const nowMs = Date.now();
  // The sidecar counts as part of the recording: both must be stable.
  const appearance = { bytes: found.size + (sidecar?.bytes ?? 0), modifiedMs: found.mtimeMs + state.sidecarMs };
  const unchangedMs = settling.unchangedMs(path, appearance, nowMs);
  if (unchangedMs === undefined) {
    pass.complete = false;
    return undefined;
  }
  const isOld = Math.max(unchangedMs, nowMs - found.mtimeMs) >= maxSettlePeriods * settleMs;
  const complete =
    settling.isSettled(unchangedMs) &&
    (isOld || (found.size > 0 && (await headerAgrees(absolutePath, found.size).catch(() => false))));
  if (complete) return { path, absolutePath, sidecar, ...state };
  pass.waiting++;
  return undefined;
}
