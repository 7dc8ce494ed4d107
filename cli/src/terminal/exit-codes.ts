/** How the command ends. Scripts rely on these: a number once given never changes its meaning. */
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

/** As docs/command.md and `hearback --help` say them. */
export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "all done",
  1: "done, and something failed: rows that are named, a check of doctor, or what was asked for is not there",
  2: "wrong usage, or a manifest that cannot be used; nothing was imported",
  3: "the key was refused, or may not do this",
  4: "the service cannot be reached or cannot answer, or what was done cannot be noted; run again to continue",
  5: "the reconciliation found a difference",
  70: "a defect of this command; please report it",
  130: "stopped (Ctrl-C); run again to continue",
  141: "whoever read the output stopped reading, as `head` does",
};
