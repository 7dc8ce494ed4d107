import type { ScorecardFinding } from "@hearback/contract";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { lint } from "@hearback/scoring/lint";
import { lintNewVersion } from "@hearback/scoring/lint-new-version";
import { parseDocument } from "@hearback/scoring/parse-document";
import { openYieldQueue } from "../platform/async/yield-queue.ts";

interface Linted {
  /** Errors first, at most 200: a draft can have thousands. */
  readonly findings: ScorecardFinding[];
  /** Number of errors. Of thousands of problems, 501 are counted. */
  readonly errors: number;
  /** The document with its defaults; undefined if it has errors. */
  readonly document: ScorecardDocument | undefined;
}

const maxFindings = 200;

/** One draft per iteration of the event loop: the largest ones take up to 100 ms. */
const turn = openYieldQueue(1);

/** Lints a draft, also against the latest published version. */
export async function lintDraft(draft: unknown, latest: ScorecardDocument | undefined): Promise<Linted> {
  await turn();
  const parsed = parseDocument(draft);
  const all: ScorecardFinding[] = parsed.ok
    ? latest
      ? lintNewVersion(latest, parsed.value)
      : lint(parsed.value)
    : parsed.problems.map((problem) => ({ severity: "error", ...problem }));
  const errors = all.filter(({ severity }) => severity === "error");
  const warnings = all.filter(({ severity }) => severity === "warning");
  return {
    findings: [...errors, ...warnings].slice(0, maxFindings),
    errors: errors.length,
    document: parsed.ok && errors.length === 0 ? parsed.value : undefined,
  };
}
