import { readFile } from "node:fs/promises";
import type { FileStat } from "./settling.ts";
import { writeAtomically } from "./write-atomically.ts";

/** Size and time of a processed recording. If they differ, it is a new recording. */
export interface RecordingState extends FileStat {
  /** 0: no sidecar. */
  readonly sidecarMs: number;
}

export const importedMark = (path: string) => `${path}.imported`;
export const failedMark = (path: string) => `${path}.failed.json`;
export const isMark = (path: string) => path.endsWith(".imported") || path.endsWith(".failed.json");

interface Imported {
  readonly id: string | null;
  readonly sha256: string;
}

/** Why a recording was not imported. */
export interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly fix: string;
}

const wire = ({ bytes, modifiedMs, sidecarMs }: RecordingState) => ({
  bytes,
  modified_ms: modifiedMs,
  sidecar_ms: sidecarMs,
});

/** Writes the marker of an imported recording, with the call id. */
export const markImported = (path: string, processed: RecordingState, { id, sha256 }: Imported, at: Date) =>
  writeAtomically(
    importedMark(path),
    `${JSON.stringify({ call: id, sha256, at: at.toISOString(), ...wire(processed) })}\n`,
  );

/** Writes the marker of a failed recording, with the reason and the fix. */
export const markFailed = (path: string, processed: RecordingState, { code, reason, fix }: Failure, at: Date) =>
  writeAtomically(
    failedMark(path),
    `${JSON.stringify({ code, reason, fix, at: at.toISOString(), ...wire(processed) }, undefined, 2)}\n`,
  );

/** Reads a marker; undefined if it does not exist or is not valid. */
export async function readMark(path: string): Promise<RecordingState | undefined> {
  try {
    const mark = JSON.parse(await readFile(path, "utf8"));
    const { bytes, modified_ms: modifiedMs, sidecar_ms: sidecarMs } = mark;
    return [bytes, modifiedMs, sidecarMs].every(Number.isFinite) ? { bytes, modifiedMs, sidecarMs } : undefined;
  } catch {
    // Missing, incomplete or invalid: process the recording again. That is safe: a call is stored once.
    return undefined;
  }
}

export const isSameState = (a: RecordingState, b: RecordingState) =>
  a.bytes === b.bytes && a.modifiedMs === b.modifiedMs && a.sidecarMs === b.sidecarMs;
