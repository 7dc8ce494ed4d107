import type { ScorecardDocument } from "@hearback/scoring/document";
import { type Finding, lint } from "@hearback/scoring/lint";
import { lintNewVersion } from "@hearback/scoring/lint-new-version";
import { parseDocument } from "@hearback/scoring/parse-document";
import type { DraftDocument } from "./draft-document.ts";

export type { Finding } from "@hearback/scoring/lint";

export interface LintedDraft {
  /** Errors first. */
  readonly findings: readonly Finding[];
  readonly errors: number;
  /** The document with its defaults; undefined if it has errors. */
  readonly document: ScorecardDocument | undefined;
}

/** Lints a draft like the server, also against the latest published version. */
export function lintDraft(draft: DraftDocument, latest: ScorecardDocument | undefined): LintedDraft {
  const parsed = parseDocument(draft);
  const all: readonly Finding[] = parsed.ok
    ? latest
      ? lintNewVersion(latest, parsed.value)
      : lint(parsed.value)
    : parsed.problems.map((problem) => ({ severity: "error", ...problem }));
  const isFirst = ({ path, code }: Finding, index: number) =>
    all.findIndex((other) => other.path === path && other.code === code) === index;
  // An empty text is both too short and blank.
  const errors = all.filter((finding, index) => finding.severity === "error" && isFirst(finding, index));
  const warnings = all.filter(({ severity }) => severity === "warning");
  return {
    findings: [...errors, ...warnings],
    errors: errors.length,
    document: parsed.ok && errors.length === 0 ? parsed.value : undefined,
  };
}

/** The part of the document that a finding is about. */
export interface FindingPlace {
  /** Id of a section or question. Undefined: the settings. */
  readonly id: string | undefined;
  readonly kind: "settings" | "section" | "question";
  /** Index of an option or band. */
  readonly entry?: number | undefined;
  /** The last member of the path, such as "title". */
  readonly field?: string | undefined;
}

export function placeOfFinding(draft: DraftDocument, path: string): FindingPlace {
  const steps = path.split("/").slice(1);
  const field = steps.findLast((step) => !/^\d+$/.test(step));
  const section = steps[0] === "sections" && steps[1] !== undefined ? draft.sections[Number(steps[1])] : undefined;
  if (!section) return { kind: "settings", id: undefined, field };
  const question = steps[2] === "questions" && steps[3] !== undefined ? section.questions[Number(steps[3])] : undefined;
  if (!question) return { kind: "section", id: section.id, field: steps.length > 2 ? field : undefined };
  const hasEntry = (steps[4] === "options" || steps[4] === "bands") && steps[5] !== undefined;
  return {
    kind: "question",
    id: question.id,
    field: steps.length > 4 ? field : undefined,
    ...(hasEntry && { entry: Number(steps[5]) }),
  };
}

/** Findings by the id of their section or question. Those of the settings have the key "". */
export function findingsByElement(draft: DraftDocument, findings: readonly Finding[]): Map<string, Finding[]> {
  return Map.groupBy(findings, ({ path }) => placeOfFinding(draft, path).id ?? "");
}
