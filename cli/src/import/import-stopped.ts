/** The import ended early. Running the same command again resumes it. */
export class ImportStopped extends Error {
  override name = "ImportStopped";
  /** 2: could not start. 3: key rejected. 4: could not continue. 130: stopped by the user. */
  readonly exitCode: 2 | 3 | 4 | 130;

  constructor(message: string, exitCode: 2 | 3 | 4 | 130, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
