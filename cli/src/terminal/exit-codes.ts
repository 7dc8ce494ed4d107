/** Exit codes. Scripts rely on them: a number never changes its meaning. */
export const exitCodes = {
  done: 0,
  someFailed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  different: 5,
  defect: 70,
  stopped: 130,
  outputClosed: 141,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Printed by `hearback --help` and listed in docs/command.md. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "success",
  1: "partial failure: some rows or checks failed, files differ, or the requested item was not found",
  2: "usage error, invalid manifest or invalid file; nothing was imported",
  3: "the API key was rejected or lacks permission",
  4: "the service is unreachable or unavailable, or the import state cannot be written; run again to resume",
  5: "the reconciliation found differences",
  70: "bug in this command; please report it",
  130: "stopped with Ctrl-C; run again to resume",
  141: "the reader closed the output, as `head` does",
};
