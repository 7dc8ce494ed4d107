import { parseTestCases, runTestCases } from "@hearback/scoring/test-cases";
import type { Command } from "commander";
import { casesBeside } from "../../scorecards/add-test-cases.ts";
import { readContent, requireScorecard, requireValid } from "../../scorecards/read-file.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { marks } from "../../terminal/style.ts";
import { sanitize } from "../../terminal/text-width.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

/** Calculates the score of each case and compares it with what the case expects. */
export async function runCases(context: Context, command: Command, file: string, cases?: string): Promise<void> {
  const document = await requireScorecard(file);
  const path = cases ?? casesBeside(file);
  const content = requireValid(await readContent(path), path, "a valid file");
  const testCases = requireValid(parseTestCases(content.data), path, "a valid file of test cases");
  const results = runTestCases(document, testCases);
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length > 0) context.setExitCode(exitCodes.someFailed);
  if (globalOptions(command).json) {
    for (const result of results) context.print(JSON.stringify(result));
    return;
  }
  const { good, bad } = marks(context.style);
  for (const { name, passed, failures } of results) {
    context.print(`${passed ? good : bad} ${sanitize(name)}`);
    for (const failure of failures) context.print(`    ${sanitize(failure)}`);
  }
  const count = pluralize(results.length, "case");
  context.print(failed.length === 0 ? `${count} passed` : `${failed.length} of ${count} failed`);
}
