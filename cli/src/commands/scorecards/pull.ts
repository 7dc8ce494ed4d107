import type { Client, ScorecardDetailBody } from "@hearback/sdk";
import type { Command } from "commander";
import { addTestCases, casesBeside } from "../../scorecards/add-test-cases.ts";
import { findScorecard, findVersion } from "../../scorecards/find-scorecard.ts";
import { checkTarget, writeScorecard } from "../../scorecards/write-scorecard.ts";
import { marks } from "../../terminal/style.ts";
import { sanitize } from "../../terminal/text-width.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

interface PullOptions {
  readonly idOrName: string;
  readonly file?: string | undefined;
  readonly version?: number | undefined;
  readonly force?: boolean | undefined;
}

/** Writes the draft, the latest version or a given version to a file, and test cases to the file beside it. */
export async function pullScorecard(context: Context, command: Command, options: PullOptions): Promise<void> {
  const { signal } = context;
  const { idOrName, force = false, version } = options;
  const { client } = await context.connect(command);
  const scorecard = await findScorecard(client, idOrName, signal);
  const file = options.file ?? fileNameOf(scorecard.name);
  await checkTarget(file, force);
  const source = await readSource(client, scorecard, version, signal);
  await writeScorecard(source.document, file, { force, signal });
  const casesFile = casesBeside(file);
  const added = await addTestCases(casesFile, await client.scorecards.testCases(scorecard.id, { signal }), signal);
  if (globalOptions(command).json) {
    const cases = added > 0 ? { cases_file: casesFile, cases_added: added } : {};
    return context.print(JSON.stringify({ id: scorecard.id, file, version: source.version, ...cases }));
  }
  const what = source.version === null ? "the draft" : `version ${source.version}`;
  const { good } = marks(context.style);
  context.print(`${good} ${file}: ${what} of "${sanitize(scorecard.name)}" (${scorecard.id})`);
  if (added > 0) context.print(`${good} ${casesFile}: added ${pluralize(added, "test case")} from decided disputes`);
}

/** `version` is null for the draft. */
async function readSource(
  client: Client,
  scorecard: ScorecardDetailBody,
  wanted: number | undefined,
  signal: AbortSignal,
): Promise<{ readonly document: unknown; readonly version: number | null }> {
  if (wanted === undefined && scorecard.draft) return { document: scorecard.draft.document, version: null };
  return findVersion(client, scorecard, wanted, signal);
}

/** "Appel d'été" → "appel-d-ete.yaml" */
function fileNameOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return `${words?.join("-") ?? "scorecard"}.yaml`;
}
