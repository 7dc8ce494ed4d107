import type { ScorecardDocument } from "@hearback/scoring/document";
import { type Finding, lint } from "@hearback/scoring/lint";
import { lintNewVersion } from "@hearback/scoring/lint-new-version";
import type { Parsed } from "@hearback/scoring/problem";
import type { Command } from "commander";
import { findScorecard, findVersion } from "../../scorecards/find-scorecard.ts";
import { countErrors, formatFinding } from "../../scorecards/format-findings.ts";
import { readScorecard } from "../../scorecards/read-file.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { marks } from "../../terminal/style.ts";
import { type Context, globalOptions } from "../context.ts";

interface LintOptions {
  readonly files: readonly string[];
  /** Compare with the latest published version of this scorecard. */
  readonly id?: string | undefined;
  readonly strict?: boolean | undefined;
}

export async function lintScorecards(context: Context, command: Command, options: LintOptions): Promise<void> {
  const { files, id, strict = false } = options;
  const { json } = globalOptions(command);
  const published = id === undefined ? undefined : await findPublished(context, command, id);
  for (const file of files) {
    const { parsed, placeOf } = await readScorecard(file);
    const findings = findingsOf(parsed, published);
    if (countErrors(findings) > 0 || (strict && findings.length > 0)) context.setExitCode(exitCodes.someFailed);
    for (const finding of findings) {
      const place = placeOf(finding.path);
      context.print(
        json ? JSON.stringify({ file, ...place, ...finding }) : formatFinding(finding, file, place, context.style),
      );
    }
    if (findings.length === 0 && !json) context.print(`${marks(context.style).good} ${file}: no problems`);
  }
}

async function findPublished(context: Context, command: Command, id: string): Promise<ScorecardDocument> {
  const { client } = await context.connect(command);
  const scorecard = await findScorecard(client, id, context.signal);
  return (await findVersion(client, scorecard, undefined, context.signal)).document;
}

function findingsOf(parsed: Parsed<ScorecardDocument>, published: ScorecardDocument | undefined): Finding[] {
  if (!parsed.ok) return parsed.problems.map((problem) => ({ severity: "error", ...problem }));
  return published ? lintNewVersion(published, parsed.value) : lint(parsed.value);
}
