import type { ScorecardFinding } from "@hearback/contract";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { lint } from "@hearback/scoring/lint";
import { lintNewVersion } from "@hearback/scoring/lint-new-version";
import { parseDocument } from "@hearback/scoring/parse-document";

interface Linted {
  readonly findings: readonly ScorecardFinding[];
  /** The document with its defaults; undefined if it is not a valid one. */
  readonly document: ScorecardDocument | undefined;
}

/** At most so many findings are returned: a draft can have thousands. */
const maxFindings = 200;

/** Lints a draft, also against the latest published version. */
export function lintDraft(draft: unknown, latest: ScorecardDocument | undefined): Linted {
  const parsed = parseDocument(draft);
  if (!parsed.ok) {
    const findings = parsed.problems.map((problem) => ({ severity: "error" as const, ...problem }));
    return { findings: findings.slice(0, maxFindings), document: undefined };
  }
  const findings = latest ? lintNewVersion(latest, parsed.value) : lint(parsed.value);
  return { findings: findings.slice(0, maxFindings), document: parsed.value };
}

export const hasErrors = (findings: readonly ScorecardFinding[]) =>
  findings.some(({ severity }) => severity === "error");
