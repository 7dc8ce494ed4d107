/** Why one entry cannot be imported, where it is not the service that refuses it. */
export class EntryError extends Error {
  override name = "EntryError";
  readonly code: "file_changed" | "file_unreadable" | "answer_differs";

  constructor(code: EntryError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
