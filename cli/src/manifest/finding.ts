/** A problem found in the manifest before the import. */
export interface Finding {
  /** Stable, explained in docs/importing.md. */
  readonly code: string;
  /** error: the row is not imported; without a line, nothing is imported. warning: the row is imported. */
  readonly level: "error" | "warning";
  readonly line: number | undefined;
  readonly column?: string | undefined;
  /** The problem, with the value that was read. */
  readonly detail: string;
  /** How to fix it. */
  readonly fix: string;
}
