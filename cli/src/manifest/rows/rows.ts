import type { Defect } from "../finding-codes.ts";

/** One row of the manifest, with one cell per column. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the row cannot be read. Its cells may be in the wrong columns. */
  readonly defect?: Defect | undefined;
  /** Cells that cannot be read, by their index. */
  readonly cellDefects?: ReadonlyMap<number, Defect> | undefined;
}

/** A source of rows: CSV, JSON lines, or file names. */
export interface Rows {
  readonly columns: readonly string[];
  /** Separator of a CSV file. */
  readonly separator?: string | undefined;
  /** Streams all rows in order, in batches. */
  read(signal?: AbortSignal): AsyncIterable<readonly Row[]>;
}

/** A longer row has an unclosed quote or a missing line break. */
export const maxRowCharacters = 1024 * 1024;

export const tooLong = (): Defect => ({
  code: "row_too_long",
  detail: "The row is longer than 1 MiB.",
  fix: "Look for a missing line break or an unclosed quote, or remove the long column from the export.",
});
