import { stdout } from "node:process";
import { print } from "./output.ts";

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** Result. If the check failed: the problem and how to fix it. */
  readonly detail: string;
}

/** The message of an error, or its code if it has none. */
export const reason = (error: unknown) => {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message || String("code" in first ? first.code : first.name) : String(first);
};

/** A finding of `run`, or of what it throws. */
export async function examine(check: string, run: () => Promise<Omit<Finding, "check">>): Promise<Finding> {
  try {
    return { check, ...(await run()) };
  } catch (error) {
    return { check, ok: false, detail: reason(error) };
  }
}

export const good = (detail: string) => ({ ok: true, detail });
export const bad = (detail: string) => ({ ok: false, detail });

/** Prints the findings of a command. Sets the exit code to 1 if a check failed. */
export function printFindings(findings: readonly Finding[], command: string, json: boolean | undefined): void {
  const healthy = findings.every((finding) => finding.ok);
  const mark = (ok: boolean) =>
    stdout.isTTY ? (ok ? "\u001b[32m✓\u001b[0m" : "\u001b[31m✗\u001b[0m") : ok ? "ok   " : "FAIL ";
  const lines = findings.map(({ check, ok, detail }) => `${mark(ok)} ${check}: ${detail}`);
  const end = healthy ? "\nAll checks passed." : `\nFix the failed checks, then run ${command} again.`;
  print({ healthy, findings }, [...lines, end].join("\n"), json);
  if (!healthy) process.exitCode = 1;
}
