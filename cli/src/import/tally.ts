import type { Entry } from "../manifest/entry.ts";
import { type Explanation, explainFailure } from "./explain-failure.ts";
import type { Journal, JournalResult } from "./journal.ts";
import type { Progress } from "./progress.ts";

/** A row that was not imported. */
export interface ImportFailure extends Explanation {
  readonly line: number;
  readonly file: string;
  readonly cells: readonly string[];
}

/** Something that a person should know of a row although nothing failed. */
export interface ImportNotice {
  readonly line: number;
  readonly file: string;
  readonly code: "erased" | "not_playable" | "agent_differs";
  readonly detail: string;
}

export interface ImportCounts {
  imported: number;
  /** There before this run. */
  present: number;
  failed: number;
  /** Erased on request, therefore not taken again. */
  erased: number;
}

export interface TallyOptions {
  readonly journal: Journal;
  readonly progress: Progress;
  readonly onFailure: (failure: ImportFailure) => void;
  readonly onNotice?: ((notice: ImportNotice) => void) | undefined;
}

/** An entry about which nothing more has to be done. */
export interface Settled {
  readonly entry: Entry;
  readonly key: string;
  readonly sha256: string;
  readonly id: string | null;
  readonly result: Exclude<JournalResult, "missing">;
}

/** Counts what became of the entries, notes it in the journal, and tells whoever wants to know. */
export function openTally({ journal, progress, onFailure, onNotice }: TallyOptions) {
  const counts: ImportCounts = { imported: 0, present: 0, failed: 0, erased: 0 };

  function count(entry: Entry, as: keyof ImportCounts): void {
    counts[as]++;
    progress.done++;
    progress.doneBytes += entry.bytes;
    if (as === "imported") progress.sentBytes += entry.bytes;
    // The bar knows three kinds: what was erased needs nothing more, as what is there.
    progress[as === "erased" ? "present" : as]++;
  }

  const notice = ({ line, file }: Entry, code: ImportNotice["code"], detail: string) =>
    onNotice?.({ line, file, code, detail });

  return {
    counts,
    notice,
    /** Done by a run before this one. */
    earlier(entry: Entry, result: JournalResult): void {
      count(entry, result === "erased" ? "erased" : "present");
    },
    settled({ entry, key, sha256, id, result }: Settled): void {
      journal.add({ key, line: entry.line, id, sha256, result });
      count(entry, result === "failed" ? "present" : result);
      if (result === "erased") notice(entry, "erased", "This call was erased on request: it is not taken again.");
      if (result === "failed")
        notice(entry, "not_playable", `This call is there (${id}), but could not be prepared for playing.`);
    },
    failed(entry: Entry, error: unknown, explanation = explainFailure(error)): void {
      count(entry, "failed");
      onFailure({ line: entry.line, file: entry.file, ...explanation, cells: entry.cells });
    },
  };
}
export type Tally = ReturnType<typeof openTally>;
