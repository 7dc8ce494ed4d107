import { readFile } from "node:fs/promises";
import type { Appearance } from "./settling.ts";
import { writeWhole } from "./write-whole.ts";

/** How a recording looked when it was decided; one that looks different is a new one. */
export interface Decided extends Appearance {
  /** 0: there is none. */
  readonly sidecarMs: number;
}

export const importedMark = (path: string) => `${path}.imported`;
export const failedMark = (path: string) => `${path}.failed.json`;
export const isMark = (path: string) => path.endsWith(".imported") || path.endsWith(".failed.json");

interface Imported {
  readonly id: string | null;
  readonly sha256: string;
}

/** Why a recording is not imported. */
export interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly fix: string;
}

const wire = ({ bytes, modifiedMs, sidecarMs }: Decided) => ({ bytes, modified_ms: modifiedMs, sidecar_ms: sidecarMs });

/** Says beside a recording that the service has it, and as what. */
export const markImported = (path: string, decided: Decided, { id, sha256 }: Imported, at: Date) =>
  writeWhole(importedMark(path), `${JSON.stringify({ call: id, sha256, at: at.toISOString(), ...wire(decided) })}\n`);

/** Says beside a recording why it is not imported, and what to do. */
export const markFailed = (path: string, decided: Decided, { code, reason, fix }: Failure, at: Date) =>
  writeWhole(
    failedMark(path),
    `${JSON.stringify({ code, reason, fix, at: at.toISOString(), ...wire(decided) }, undefined, 2)}\n`,
  );

/** What a mark says; undefined: there is none, or none of ours. */
export async function readMark(path: string): Promise<Decided | undefined> {
  try {
    const mark = JSON.parse(await readFile(path, "utf8"));
    const { bytes, modified_ms: modifiedMs, sidecar_ms: sidecarMs } = mark;
    return [bytes, modifiedMs, sidecarMs].every(Number.isFinite) ? { bytes, modifiedMs, sidecarMs } : undefined;
  } catch {
    // Not there, half written by somebody else, or no JSON: decide again. That is safe, a call is stored once.
    return undefined;
  }
}

export const looksTheSame = (a: Decided, b: Decided) =>
  a.bytes === b.bytes && a.modifiedMs === b.modifiedMs && a.sidecarMs === b.sidecarMs;
