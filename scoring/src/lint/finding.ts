import type { Problem } from "../problem.ts";

/** A mistake in a scorecard. Errors prevent publishing. */
export interface Finding extends Problem {
  readonly severity: "error" | "warning";
}

type Report = (path: string, code: string, message: string, fix: string) => Finding;

export const error: Report = (path, code, message, fix) => ({ severity: "error", path, code, message, fix });
export const warning: Report = (path, code, message, fix) => ({ severity: "warning", path, code, message, fix });

/** Reports every entry whose name was used before, ignoring case and white space around it. */
export function repeated(names: readonly string[], report: (index: number, name: string) => Finding): Finding[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const key = name.trim().toLowerCase();
    if (seen.has(key)) return [report(index, name)];
    seen.add(key);
    return [];
  });
}
