/** A local reason why one entry cannot be imported. */
export class EntryError extends Error {
  override name = "EntryError";
  readonly code: "file_changed" | "file_changed_late" | "file_unreadable" | "answer_differs";
  /** Overrides the default fix of the code. */
  readonly fix: string | undefined;

  constructor(code: EntryError["code"], message: string, fix?: string) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}
