import type { ExitCode } from "./exit-codes.ts";

interface Reason {
  readonly exitCode: ExitCode;
  /** Stable, for programs that read --json. */
  readonly code: string;
  /** How to fix it. */
  readonly fix?: string | undefined;
}

/** An expected failure with a message for the user. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly fix: string | undefined;

  constructor(message: string, { exitCode, code, fix }: Reason, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = code;
    this.fix = fix;
  }
}
