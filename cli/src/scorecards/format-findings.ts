import type { Finding } from "@hearback/scoring/lint";
import { marks, type Style } from "../terminal/style.ts";
import { sanitize } from "../terminal/text-width.ts";
import type { Place } from "./parse-text.ts";

/** A finding with its place: "✗ support.yaml:14:9 /sections/0/…", then the message and the fix. */
export function formatFinding(finding: Finding, file: string, place: Place | undefined, style: Style): string {
  const { severity, path, message, fix } = finding;
  const { bad, warning } = marks(style);
  const where = [file, ...(place ? [place.line, place.column] : [])].join(":");
  return [
    `${severity === "error" ? bad : warning} ${style.bold(sanitize(where))} ${sanitize(path)}`.trimEnd(),
    `    ${sanitize(message)}`,
    `    ${style.dim(sanitize(fix))}`,
  ].join("\n");
}

export const countErrors = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === "error").length;
