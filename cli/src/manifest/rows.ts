import type { Defect } from "./finding-codes.ts";

/** One row as it stands in the manifest, with as many cells as there are columns. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it cannot be read any further. */
  readonly defect?: Defect | undefined;
}

/** Where rows come from: a CSV, JSON lines, or the names of the recordings. */
export interface Rows {
  readonly columns: readonly string[];
  /** What stands between cells, in a CSV. */
  readonly separator?: string | undefined;
  /** All rows, in order, some at a time. */
  read(signal?: AbortSignal): AsyncIterable<readonly Row[]>;
}

/** No row of a manifest is that long; one that is has lost a quote or a line's end. */
export const mostRowCharacters = 1024 * 1024;

export const tooLong = (): Defect => ({
  code: "row_too_long",
  detail: "The row is longer than a mebibyte.",
  fix: "Look for a missing end of line or a quote that is not closed, or leave the long column out of the export.",
});
