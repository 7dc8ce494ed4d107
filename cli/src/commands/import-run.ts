import type { Command } from "commander";
import type { Failures } from "../import/failures.ts";
import type { Journal } from "../import/journal.ts";
import type { LineSet } from "../import/line-set.ts";
import type { Progress } from "../import/progress.ts";
import type { Entry } from "../manifest/entry.ts";
import type { Finding } from "../manifest/finding.ts";
import type { Manifest } from "../manifest/open-manifest.ts";
import type { Survey } from "../survey/survey.ts";
import { showProgress } from "../terminal/progress-bar.ts";
import { type Context, globalOptions } from "./context.ts";
import type { ManifestOptions } from "./manifest-options.ts";

export interface ImportOptions extends ManifestOptions {
  readonly dryRun?: boolean;
  readonly createAgents?: boolean;
  readonly skipWrong?: boolean;
  readonly yes?: boolean;
  readonly atOnce: number;
  readonly patience: number;
  readonly proof: boolean;
}

/** What the parts of one run share. */
export interface ImportRun {
  readonly context: Context;
  readonly command: Command;
  readonly options: ImportOptions;
  readonly manifest: Manifest;
  readonly failures: Failures;
  /** Rows that are in the file of failures: nothing more is done with them. */
  readonly failedLines: LineSet;
  readonly seconds: { reading: number; importing: number; reconciling: number };
}

/** A run that imports; a dry run has no journal. */
export interface WritingRun extends ImportRun {
  readonly journal: Journal;
}

export const inJson = ({ command }: ImportRun): boolean => globalOptions(command).json ?? false;

/** Shows how far it is until it is stopped. */
export function watchProgress({ context, command }: ImportRun, read: () => Readonly<Progress>) {
  const { quiet } = globalOptions(command);
  return showProgress({ read, output: context.stderr, env: context.env, quiet });
}

/** Does something and gives its result with the seconds that it took. */
export async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work(), (performance.now() - began) / 1000];
}

/** Puts a row into the file of failures. */
export function failRow(run: ImportRun, finding: Pick<Finding, "code" | "detail" | "fix" | "file"> & Line): void {
  const { line, code, detail, fix, cells = [], file = "" } = finding;
  run.failedLines.add(line);
  run.failures.add({ line, file, code, reason: detail, fix, cells });
}

interface Line {
  readonly line: number;
  readonly cells?: readonly string[] | undefined;
}

/**
 * The entries that the survey found to be right and that did not fail since. A row that is wrong now although it was
 * right then (its recording is gone, or has changed) is told to `onWrong`, once.
 */
export async function* rightEntries(
  run: ImportRun,
  found: Survey,
  onWrong: (finding: Finding & Line) => void,
): AsyncGenerator<Entry> {
  const { manifest, context, failedLines } = run;
  for await (const item of manifest.entries(context.signal)) {
    const { line } = item;
    if (line === undefined || failedLines.has(line)) continue;
    if (!("code" in item)) {
      if (found.isImportable(item)) yield item;
      else onWrong({ ...item, ...changed, line });
    } else if (item.level === "error") onWrong({ ...item, line });
  }
}

const changed = {
  code: "file_changed",
  level: "error",
  detail: "The recording was changed since it was looked at first.",
  fix: "Wait until it is complete, and run the command again.",
} as const;
