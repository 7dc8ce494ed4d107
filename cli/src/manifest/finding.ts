/** Something that a person should know before importing. */
export interface Finding {
  /** Stable, explained in docs/importing.md. */
  readonly code: string;
  /** error: the row is not imported; in the manifest as a whole (line undefined), nothing is. warning: it is. */
  readonly level: "error" | "warning";
  readonly line: number | undefined;
  readonly column?: string | undefined;
  /** What is wrong, with the value that was read. */
  readonly detail: string;
  /** How to mend it. */
  readonly fix: string;
  /** On the first error of a row and on no other, so that a row with two defects is still one row; as far as it could be cut. */
  readonly cells?: readonly string[] | undefined;
  /** Which recording the row names, below the folder of recordings; beside `cells`, where it can be told. */
  readonly file?: string | undefined;
}
