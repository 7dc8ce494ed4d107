/** Why one entry cannot be imported, where it is not the service that refuses it. */
export class EntryError extends Error {
  override name = "EntryError";
  readonly code: "file_changed" | "file_changed_late" | "file_unreadable" | "answer_differs";
  /** Where it depends on more than the code. */
  readonly fix: string | undefined;

  constructor(code: EntryError["code"], message: string, fix?: string) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}
