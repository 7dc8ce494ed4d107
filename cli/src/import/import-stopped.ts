/** Why an import ended before its end. Running the same command again continues it. */
export class ImportStopped extends Error {
  override name = "ImportStopped";
  /** 2: it could not begin. 3: the key was refused. 4: it could not go on. 130: it was told to stop. */
  readonly exitCode: 2 | 3 | 4 | 130;

  constructor(message: string, exitCode: 2 | 3 | 4 | 130, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
