import type { Command } from "commander";
import type { Failures } from "../../import/failures.ts";
import type { Journal } from "../../import/journal/journal.ts";
import type { LineSet } from "../../import/journal/line-set.ts";
import type { Progress } from "../../import/progress.ts";
import { type Entry, type InvalidRow, isInvalid } from "../../manifest/entry.ts";
import type { Finding } from "../../manifest/finding.ts";
import type { Manifest } from "../../manifest/open-manifest.ts";
import { type Preflight, recordingChanged } from "../../preflight/preflight.ts";
import { showProgress } from "../../terminal/live-progress.ts";
import { type Context, globalOptions } from "../context.ts";
import type { ManifestOptions } from "../manifest-options.ts";

export interface ImportOptions extends ManifestOptions {
  readonly dryRun?: boolean;
  readonly createAgents?: boolean;
  readonly skipInvalid?: boolean;
  readonly yes?: boolean;
  readonly concurrency: number;
  readonly maxWait: number;
  readonly reconcile: boolean;
}

/** State shared by the phases of one run. */
export interface ImportState {
  readonly context: Context;
  readonly command: Command;
  readonly options: ImportOptions;
  readonly manifest: Manifest;
  readonly failures: Failures;
  /** Rows already in the failures file. Later phases skip them. */
  readonly failedLines: LineSet;
  readonly seconds: { reading: number; importing: number; reconciling: number };
}

/** State of a run that imports. A dry run has no journal. */
export interface WritingImportState extends ImportState {
  readonly journal: Journal;
}

export const isJson = ({ command }: ImportState): boolean => globalOptions(command).json ?? false;

/** Shows progress until it is stopped. */
export function watchProgress({ context, command }: ImportState, read: () => Readonly<Progress>) {
  const { quiet } = globalOptions(command);
  return showProgress({ read, output: context.stderr, env: context.env, quiet });
}

/** Returns the result and the elapsed seconds. */
export async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work(), (performance.now() - began) / 1000];
}

/** Adds a row to the failures file. */
export function recordFailure(run: ImportState, row: Entry | InvalidRow, findings: readonly Finding[]): void {
  const { line, cells, file = "" } = row;
  run.failedLines.add(line);
  const problems = findings.map(({ code, detail, fix }) => ({ code, reason: detail, fix }));
  run.failures.add({ line, file, cells, problems });
}

/**
 * Yields the entries that passed the preflight and have not failed since. Calls `onInvalid` for a row that became invalid
 * since, because its recording is gone or has changed.
 */
export async function* importableEntries(
  run: ImportState,
  found: Preflight,
  onInvalid: (row: Entry | InvalidRow, findings: readonly Finding[]) => void,
): AsyncGenerator<Entry> {
  const { manifest, context, failedLines } = run;
  for await (const row of manifest.entries(context.signal)) {
    if (failedLines.has(row.line)) continue;
    if (isInvalid(row)) onInvalid(row, row.findings);
    else if (found.isImportable(row)) yield row;
    else onInvalid(row, [recordingChanged(row.line)]);
  }
}

/** All problems of a row in one line. */
export const joinDetails = (findings: readonly Finding[]): string => findings.map(({ detail }) => detail).join(" ");
