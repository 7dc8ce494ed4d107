import type { Entry } from "../manifest/entry.ts";
import { type Explanation, explainFailure } from "./explain-failure.ts";
import type { Journal, JournalResult } from "./journal/journal.ts";
import type { Progress } from "./progress.ts";

/** A row that could not be imported. */
export interface ImportFailure extends Explanation {
  readonly line: number;
  readonly file: string;
  readonly cells: readonly string[];
}

/** Information about a row that did not fail. */
export interface ImportNotice {
  readonly line: number;
  readonly file: string;
  readonly code: "erased" | "not_playable" | "agent_differs";
  readonly detail: string;
}

export interface ImportCounts {
  imported: number;
  /** Existed before this run. */
  present: number;
  failed: number;
  /** Erased on request, therefore not imported again. */
  erased: number;
}

export interface ImportStatsOptions {
  readonly journal: Journal;
  readonly progress: Progress;
  readonly onFailure: (failure: ImportFailure) => void;
  readonly onNotice?: ((notice: ImportNotice) => void) | undefined;
}

/** A completed entry. */
export interface CompletedEntry {
  readonly entry: Entry;
  readonly key: string;
  readonly sha256: string;
  readonly id: string | null;
  readonly result: Exclude<JournalResult, "missing">;
}

/** Counts results, writes them to the journal, and reports failures and notices. */
export function openImportStats({ journal, progress, onFailure, onNotice }: ImportStatsOptions) {
  const counts: ImportCounts = { imported: 0, present: 0, failed: 0, erased: 0 };

  function count(entry: Entry, as: keyof ImportCounts): void {
    counts[as]++;
    progress.done++;
    progress.doneBytes += entry.bytes;
    if (as === "imported") progress.sentBytes += entry.bytes;
    // The progress bar has no "erased" counter.
    progress[as === "erased" ? "present" : as]++;
  }

  const notice = ({ line, file }: Entry, code: ImportNotice["code"], detail: string) =>
    onNotice?.({ line, file, code, detail });

  return {
    counts,
    notice,
    /** Completed by an earlier run. */
    completedEarlier(entry: Entry, result: JournalResult): void {
      count(entry, result === "erased" ? "erased" : "present");
    },
    completed({ entry, key, sha256, id, result }: CompletedEntry): void {
      journal.add({ key, line: entry.line, id, sha256, result });
      count(entry, result === "failed" ? "present" : result);
      if (result === "erased") notice(entry, "erased", "This call was erased on request and is not imported again.");
      if (result === "failed") notice(entry, "not_playable", `Preparation of this call failed (${id}).`);
    },
    failed(entry: Entry, error: unknown, explanation = explainFailure(error)): void {
      count(entry, "failed");
      onFailure({ line: entry.line, file: entry.file, ...explanation, cells: entry.cells });
    },
  };
}
export type ImportStats = ReturnType<typeof openImportStats>;
