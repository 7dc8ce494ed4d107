import { type Change, compareVersions } from "@hearback/scoring/compare-versions";
import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Command } from "commander";
import { findScorecard, findVersion } from "../../scorecards/find-scorecard.ts";
import { formatChange } from "../../scorecards/format-change.ts";
import { requireScorecard } from "../../scorecards/read-file.ts";
import { CommandError } from "../../terminal/command-error.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { marks } from "../../terminal/style.ts";
import { sanitize } from "../../terminal/text-width.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

interface DiffOptions {
  readonly file: string;
  readonly other?: string | undefined;
  readonly id?: string | undefined;
  readonly version?: number | undefined;
}

interface Side {
  readonly name: string;
  readonly document: ScorecardDocument;
}

/** Shows the changes from one file to another, or from a published version to a file. */
export async function diffScorecards(context: Context, command: Command, options: DiffOptions): Promise<void> {
  const [before, after] = await readSides(context, command, options);
  const changes = compareVersions(before.document, after.document);
  if (changes.length > 0) context.setExitCode(exitCodes.someFailed);
  if (globalOptions(command).json) {
    for (const { affectsComparability, ...change } of changes)
      context.print(JSON.stringify({ ...change, affects_comparability: affectsComparability }));
    return;
  }
  context.print(`${context.style.bold(`${sanitize(before.name)} → ${sanitize(after.name)}`)}`);
  for (const change of changes)
    context.print(`${change.affectsComparability ? marks(context.style).warning : " "} ${formatChange(change)}`);
  context.print(summarize(changes));
}

async function readSides(
  context: Context,
  command: Command,
  { file, other, id, version }: DiffOptions,
): Promise<[before: Side, after: Side]> {
  if ((other === undefined) === (id === undefined))
    throw usage("Name either a second file or, with --id, a scorecard.");
  if (version !== undefined && id === undefined) throw usage("--version needs --id.");
  const own = { name: file, document: await requireScorecard(file) };
  if (other !== undefined) return [own, { name: other, document: await requireScorecard(other) }];
  const { client } = await context.connect(command);
  const scorecard = await findScorecard(client, id ?? "", context.signal);
  const published = await findVersion(client, scorecard, version, context.signal);
  return [{ name: `version ${published.version} of "${scorecard.name}"`, document: published.document }, own];
}

const usage = (message: string) =>
  new CommandError(message, {
    exitCode: exitCodes.usage,
    code: "usage",
    fix: "Run hearback scorecards diff --help for examples.",
  });

function summarize(changes: readonly Change[]): string {
  if (changes.length === 0) return "No changes.";
  const marked = changes.filter(({ affectsComparability }) => affectsComparability).length;
  const count = pluralize(changes.length, "change");
  if (marked === 0) return `${count}. Scores stay comparable.`;
  const verb = marked === 1 ? "affects" : "affect";
  return `${count}. ${marked} (!) ${verb} the comparability of scores: the same call can get another score or outcome.`;
}
